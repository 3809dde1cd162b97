// Tests a conversion: for every pair of versions, generated objects (and given ones) are checked against
// every law. A broken law is shown by the smallest example found, and not checked again for that pair.
import { asJson, asKubeObject, deepCopy, type JsonObject, type KubeObject } from '@instar/machinery';
import { Comparer } from './comparison.ts';
import { Conversion } from './conversion.ts';
import type { Edit } from './edit/edit.ts';
import {
  arbitraryOf,
  GenerationError,
  type GenerationStatistics,
  type ObjectArbitrary,
} from './generate/arbitrary.ts';
import { DICE } from './generate/dice-arbitrary.ts';
import { faultsOf } from './generate/repair.ts';
import { sample } from './generate/sample.ts';
import type { Law, LawName, Violation } from './law.ts';
import { LAWS } from './laws/index.ts';
import { type Minimal, minimize } from './minimize.ts';
import { type ConvertFunction, type ProofVersion, settled } from './subject.ts';
import { Trial, type TrialSettings } from './trial.ts';

/** How many objects are generated, from which seed, and which laws are checked. */
export interface ProofOptions {
  /** Objects for each direction; 1,000 by default. */
  readonly runs?: number;
  readonly seed?: number;
  /** Objects sent together. */
  readonly batch?: number;
  /** Only these laws; all by default. */
  readonly laws?: readonly LawName[];
  readonly ignoreEmpty?: boolean;
  /** Objects of any of the versions, which are tried before generated ones. */
  readonly samples?: readonly KubeObject[];
  /** Conversions spent on shrinking one example. */
  readonly mostShrinkChecks?: number;
  readonly progress?: (progress: ProofProgress) => void;
}

/** How far the check of one direction has come. */
export interface ProofProgress {
  readonly from: string;
  readonly to: string;
  readonly done: number;
  readonly total: number;
}

/** How often a law was checked in one direction. */
export interface LawReport {
  readonly law: LawName;
  readonly title: string;
  readonly checked: number;
  readonly broken: boolean;
  readonly notApplicable?: string;
}

/** The result of one direction of conversion. */
export interface DirectionReport {
  readonly from: string;
  readonly to: string;
  readonly objects: number;
  readonly laws: readonly LawReport[];
  /** Why no objects could be generated. */
  readonly generationFailure?: string;
  readonly generation: GenerationStatistics;
}

/** A law that was broken, with the smallest object found that shows it. */
export interface LawFailure {
  readonly law: LawName;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly seed: number;
  /** How many steps it took from the object found to the one shown. */
  readonly shrinkSteps: number;
  readonly objects: readonly KubeObject[];
  readonly violation: Violation;
}

/** The result of checking the laws on generated objects. */
export interface ProofReport {
  readonly seed: number;
  readonly directions: readonly DirectionReport[];
  readonly failures: readonly LawFailure[];
  /** Annotations in which the conversion keeps what a version cannot hold. */
  readonly stashAnnotations: readonly string[];
  readonly conversions: number;
}

const DEFAULTS = { runs: 1000, batch: 20, mostShrinkChecks: 4000 };

/** Checks the laws of a conversion on generated objects. */
export async function prove(
  convert: ConvertFunction,
  versions: readonly ProofVersion[],
  options: ProofOptions = {},
): Promise<ProofReport> {
  const seed = options.seed ?? (Math.random() * 0x7fffffff) | 0;
  const comparer = new Comparer({ ignoreEmpty: options.ignoreEmpty === true });
  const conversion = new Conversion(convert, comparer);
  const proofs: DirectionProof[] = [];
  for (const from of versions) {
    for (const to of versions) {
      if (from === to) continue;
      const proof = new DirectionProof({ from, to, conversion, comparer }, { ...options, seed });
      await proof.run();
      proofs.push(proof);
    }
  }
  return {
    seed,
    directions: proofs.map((proof) => proof.report()),
    failures: proofs.flatMap(({ failures }) => failures),
    stashAnnotations: [...comparer.stashKeys].sort(),
    conversions: conversion.calls,
  };
}

type Direction = Omit<TrialSettings, 'dice' | 'edit'>;

class DirectionProof {
  readonly failures: LawFailure[] = [];
  readonly #direction: Direction;
  readonly #options: ProofOptions & { readonly seed: number };
  readonly #laws: readonly Law[];
  readonly #arbitrary: ObjectArbitrary;
  readonly #checked = new Map<LawName, number>();
  readonly #notApplicable = new Map<LawName, string>();
  #objects = 0;
  #generationFailure: string | undefined;

  constructor(direction: Direction, options: ProofOptions & { readonly seed: number }) {
    const { apiVersion, kind, schema, namespaced } = direction.from;
    this.#direction = direction;
    this.#options = options;
    this.#laws = LAWS.filter(({ name }) => options.laws?.includes(name) ?? true);
    this.#arbitrary = arbitraryOf(schema, { apiVersion, kind, namespaced });
  }

  async run(): Promise<void> {
    const { from, to } = this.#direction;
    const { runs = DEFAULTS.runs, batch = DEFAULTS.batch, progress, samples = [] } = this.#options;
    for (const given of samples) {
      if (given.apiVersion !== from.apiVersion) continue;
      const object = settled(deepCopy(asJson(given)), from);
      if (faultsOf(object, from.schema).length === 0) await this.#try([object], 0);
    }
    for (let done = 0, turn = 1; done < runs; turn++) {
      const objects = this.#generate(Math.min(batch, runs - done), turn);
      if (objects === undefined) return;
      await this.#try(objects, turn);
      done += objects.length;
      progress?.({ from: from.name, to: to.name, done, total: runs });
    }
  }

  #generate(count: number, turn: number): JsonObject[] | undefined {
    try {
      return sample(this.#arbitrary, count, this.#options.seed + turn).map(asJson);
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      this.#generationFailure = error.message;
      return undefined;
    }
  }

  /**
   * Objects of a batch that fails as a whole, or comes back out of order, are tried one by one for the other
   * laws.
   */
  async #try(objects: readonly JsonObject[], turn: number): Promise<void> {
    this.#objects += objects.length;
    const trial = this.#trial(objects, turn);
    const isWhole = objects.length === 1 || (!this.#isBroken('converts') && !this.#isBroken('order'));
    if (isWhole) await this.#hold(trial, turn);
    if (objects.length === 1 || (!this.#isBroken('converts') && !this.#isBroken('order'))) return;
    for (const [index, object] of objects.entries())
      await this.#hold(this.#trial([object], turn * 1000 + index), turn);
  }

  #isBroken(law: LawName): boolean {
    return this.failures.some((failure) => failure.law === law);
  }

  #trial(objects: readonly JsonObject[], turn: number, edit?: Edit): Trial {
    const [dice] = sample(DICE, 1, this.#options.seed + turn);
    return new Trial(objects, { ...this.#direction, dice: dice!, ...(edit !== undefined && { edit }) });
  }

  async #hold(trial: Trial, turn: number): Promise<void> {
    for (const law of this.#laws) {
      if (this.#isBroken(law.name) || this.#notApplicable.has(law.name)) continue;
      const { violation, checked, notApplicable } = await law.check(trial);
      this.#checked.set(law.name, (this.#checked.get(law.name) ?? 0) + checked);
      if (notApplicable !== undefined) this.#notApplicable.set(law.name, notApplicable);
      if (violation === undefined) continue;
      await this.#record(law, trial.objects, violation, turn);
      // After these two fail, other failures cannot be distinguished from theirs.
      if ((law.name === 'order' || law.name === 'converts') && trial.objects.length > 1) return;
    }
  }

  async #record(law: Law, objects: readonly JsonObject[], violation: Violation, turn: number): Promise<void> {
    const minimal = await this.#minimize(law, objects, violation, turn);
    const { from, to } = this.#direction;
    this.failures.push({
      law: law.name,
      title: law.title,
      from: from.name,
      to: to.name,
      seed: this.#options.seed,
      shrinkSteps: minimal.steps,
      objects: minimal.objects.map((object) => asKubeObject(object)),
      violation: minimal.violation,
    });
  }

  #minimize(law: Law, objects: readonly JsonObject[], violation: Violation, turn: number): Promise<Minimal> {
    return minimize(
      { objects, violation },
      {
        check: async (smaller, edit, attempt) =>
          (await law.check(this.#trial(smaller, turn + attempt, edit))).violation,
        smaller: (object) => this.#smallerThan(object),
        mostChecks: this.#options.mostShrinkChecks ?? DEFAULTS.mostShrinkChecks,
      },
    );
  }

  *#smallerThan(object: JsonObject): IterableIterator<JsonObject> {
    for (const { value } of this.#arbitrary.shrink(asKubeObject(object))) yield asJson(value);
  }

  report(): DirectionReport {
    const { from, to } = this.#direction;
    return {
      from: from.name,
      to: to.name,
      objects: this.#objects,
      laws: this.#laws.map(({ name, title }) => this.#lawReport(name, title)),
      ...(this.#generationFailure !== undefined && { generationFailure: this.#generationFailure }),
      generation: this.#arbitrary.statistics,
    };
  }

  #lawReport(law: LawName, title: string): LawReport {
    const notApplicable = this.#notApplicable.get(law);
    const checked = this.#checked.get(law) ?? 0;
    return {
      law,
      title,
      checked,
      broken: this.#isBroken(law),
      ...(notApplicable !== undefined && { notApplicable }),
    };
  }
}
