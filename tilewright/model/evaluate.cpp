// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/evaluate.h"

#include "tilewright/base/error.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/model/laws.h"

namespace tilewright {

Evaluation evaluate(const Problem& problem, const Mapping& mapping) {
  for (const Violation& violation : find_violations(problem, mapping)) {
    TW_CHECK(!is_structural(violation.kind), "the mapping has no structural violation");
  }
  Evaluator evaluator(problem);
  const Evaluation& evaluation = evaluator.evaluate(mapping);
  TW_DCHECK(check_laws(problem, mapping, evaluation).broken.empty(),
            "conservation: " + check_laws(problem, mapping, evaluation).broken.front());
  return evaluation;
}

}  // namespace tilewright
