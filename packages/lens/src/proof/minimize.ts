// Shrinks what breaks a law: fewer objects, smaller objects, a simpler edit. Every step is checked by the law
// itself.
import { deepCopy, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Edit } from './edit/edit.ts';
import type { Violation } from './law.ts';

export interface Case {
  readonly objects: readonly JsonObject[];
  readonly edit?: Edit;
  readonly violation: Violation;
}

export interface MinimizeOptions {
  /** The remaining violation, if there is one. */
  readonly check: (
    objects: readonly JsonObject[],
    edit: Edit | undefined,
    attempt: number,
  ) => Promise<Violation | undefined>;
  readonly smaller: (object: JsonObject) => Iterable<JsonObject>;
  readonly mostChecks: number;
}

export interface Minimal extends Case {
  readonly steps: number;
}

export async function minimize(given: Case, options: MinimizeOptions): Promise<Minimal> {
  const search = new Search(given, options);
  await search.fewerObjects();
  await search.smallerObjects();
  await search.plainerEdit();
  await search.smallerObjects();
  return { ...search.best, steps: search.steps };
}

const OTHER_EDITS = 4;

class Search {
  best: Case;
  steps = 0;
  readonly #options: MinimizeOptions;
  #checksLeft: number;

  constructor(given: Case, options: MinimizeOptions) {
    this.best = given;
    this.#options = options;
    this.#checksLeft = options.mostChecks;
  }

  async fewerObjects(): Promise<void> {
    const { objects, violation } = this.best;
    if (objects.length > 1 && (await this.#try([objects[violation.index] ?? objects[0]!], violation.edit)))
      return;
    for (let index = this.best.objects.length - 1; index >= 0 && this.best.objects.length > 1; index--)
      await this.#try(this.best.objects.toSpliced(index, 1), undefined);
  }

  async smallerObjects(): Promise<void> {
    for (let index = 0; index < this.best.objects.length; index++) while (await this.#shrinkOne(index));
  }

  async #shrinkOne(index: number): Promise<boolean> {
    for (const candidate of this.#options.smaller(this.best.objects[index]!)) {
      if (this.#checksLeft <= 0) return false;
      const objects = this.best.objects.with(index, candidate);
      const { edit } = this.best.violation;
      if ((await this.#try(objects, edit)) || (edit !== undefined && (await this.#tryOtherEdits(objects))))
        return true;
    }
    return false;
  }

  /** If the edit does not fit the smaller object, another one may. */
  async #tryOtherEdits(objects: readonly JsonObject[]): Promise<boolean> {
    for (let attempt = 1; attempt <= OTHER_EDITS; attempt++)
      if (await this.#try(objects, undefined, attempt)) return true;
    return false;
  }

  async plainerEdit(): Promise<void> {
    let found = true;
    while (found) {
      found = false;
      const { edit } = this.best.violation;
      if (edit === undefined || !('value' in edit) || edit.place[0] === 'metadata') return;
      for (const value of plainer(edit.value))
        if ((found = await this.#try(this.best.objects, { ...edit, value }))) break;
    }
  }

  async #try(objects: readonly JsonObject[], edit: Edit | undefined, attempt = 0): Promise<boolean> {
    if (this.#checksLeft-- <= 0) return false;
    const violation = await this.#options.check(objects, edit, attempt);
    if (violation === undefined) return false;
    this.best = { objects, violation };
    this.steps++;
    return true;
  }
}

/** Values with less in them; scalars are kept unless they are long. */
function* plainer(value: JsonValue): IterableIterator<JsonValue> {
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, value.length >> 1);
  if (Array.isArray(value)) for (const index of value.keys()) yield value.toSpliced(index, 1);
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    const { [name]: _removed, ...rest } = deepCopy(value);
    yield rest;
  }
}
