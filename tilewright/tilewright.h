// SPDX-License-Identifier: Apache-2.0
// Everything but files: workloads and accelerators built in code, the best mapping of one layer
// (`map`) and of a network (`plan`), and what any mapping costs (`evaluate`). docs/cpp.md lists
// what is public. Link with tilewright::core.
#pragma once

#include "tilewright/arch/arch.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapper/map.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/mapper/print.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/network/network.h"
#include "tilewright/workload/operators.h"
#include "tilewright/workload/workload.h"
