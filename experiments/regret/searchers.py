# SPDX-License-Identifier: Apache-2.0
"""Searches that know nothing about accelerators: each asks for a point and is told its value.

A point has an index for each parameter, into the list of its values; less is better.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

Point = tuple[int, ...]

#: Of the genetic algorithm and of NSGA-II: a run of 200 evaluations has about ten generations.
POPULATION = 20


class Searcher(Protocol):
    def ask(self) -> Point: ...

    def tell(self, value: float) -> None:
        """The value of the point that was asked for last."""


class Random:
    """Every point once, in random order."""

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        points = list(itertools.product(*map(range, sizes)))
        random.Random(seed).shuffle(points)
        self._next = itertools.cycle(points)

    def ask(self) -> Point:
        return next(self._next)

    def tell(self, value: float) -> None:
        pass


class Genetic:
    """A plain genetic algorithm: the best of two, uniform crossover, a step of one or a new value.

    A generation has as many children as the population; the best of both live on.
    """

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        self._sizes = sizes
        self._random = random.Random(seed)
        self._parents: list[tuple[float, Point]] = []
        self._children: list[tuple[float, Point]] = []
        self._asked: Point = ()

    def ask(self) -> Point:
        if not self._parents:
            self._asked = tuple(self._random.randrange(size) for size in self._sizes)
        else:
            mother, father = self._pick(), self._pick()
            genes = [self._random.choice(pair) for pair in zip(mother, father, strict=True)]
            self._asked = tuple(map(self._mutate, genes, self._sizes))
        return self._asked

    def tell(self, value: float) -> None:
        self._children.append((value, self._asked))
        if len(self._children) == POPULATION:
            self._parents = sorted(set(self._parents + self._children))[:POPULATION]
            self._children = []

    def _pick(self) -> Point:
        return min(self._random.choice(self._parents) for _ in range(2))[1]

    def _mutate(self, gene: int, size: int) -> int:
        if self._random.random() >= 1 / len(self._sizes):
            return gene
        if self._random.random() < 0.5:
            return self._random.randrange(size)
        return min(max(gene + self._random.choice((-1, 1)), 0), size - 1)


class Optuna:
    """A sampler of Optuna, by ask and tell. Values of a parameter are in order: integers."""

    def __init__(self, sizes: Sequence[int], sampler: Any) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._sizes = sizes
        self._study = optuna.create_study(sampler=sampler)
        self._trial: Any = None

    def ask(self) -> Point:
        self._trial = self._study.ask()
        return tuple(
            self._trial.suggest_int(str(i), 0, size - 1) for i, size in enumerate(self._sizes)
        )

    def tell(self, value: float) -> None:
        self._study.tell(self._trial, value)


def tpe(sizes: Sequence[int], seed: int) -> Searcher:
    import optuna

    return Optuna(sizes, optuna.samplers.TPESampler(seed=seed))


def nsga2(sizes: Sequence[int], seed: int) -> Searcher:
    import optuna

    return Optuna(sizes, optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=seed))


SEARCHERS: dict[str, Callable[[Sequence[int], int], Searcher]] = {
    "random": Random,
    "genetic": Genetic,
    "NSGA-II": nsga2,
    "TPE": tpe,
}


def search(
    searcher: Searcher, value_of: Callable[[Point], float], evaluations: int
) -> tuple[list[float], int]:
    """The best value after each evaluation, and how often the searcher asked.

    An evaluation is a point that the searcher had not asked for before. One that needs more than
    5 questions for each has got stuck, and keeps its best to the end.
    """
    known: dict[Point, float] = {}
    trace: list[float] = []
    best, asks = math.inf, 0
    while len(trace) < evaluations and asks < 5 * evaluations:
        point = searcher.ask()
        asks += 1
        if point not in known:
            known[point] = value_of(point)
            best = min(best, known[point])
            trace.append(best)
        searcher.tell(known[point])
    return trace + [best] * (evaluations - len(trace)), asks
