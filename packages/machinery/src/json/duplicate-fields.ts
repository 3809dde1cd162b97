// The duplicate fields of a JSON document, with their paths. However often a field is repeated and however
// deep it is, noting it takes constant time: the fields are kept as a tree, of which the branch that is being
// read is not looked up again.
import { quoteGo } from '@instar/go';

/** Upstream reports no more strict errors than this. */
export const MAX_DUPLICATES = 100;
/** Paths hold keys that clients choose: a hundred paths could be a hundred times as long as the text. */
const MAX_CHARACTERS = 1024 * 1024;

type Step = string | number;

interface Field {
  readonly children: Map<Step, Field>;
  noted: boolean;
}

const newField = (): Field => ({ children: new Map(), noted: false });

export class DuplicateFields {
  readonly #errors: string[] = [];
  #characters = 0;
  /** The fields on the way to the current one, from the root, as far as they have been looked up. */
  readonly #branch: Field[] = [newField()];

  /** `duplicate field "spec.size"`, ready to print. */
  get errors(): string[] {
    return this.#errors;
  }

  /** To be called whenever another key or index is read at that level: what is below has changed. */
  moved(level: number): void {
    if (this.#branch.length > level + 1) this.#branch.length = level + 1;
  }

  /** `path[level]` is a duplicate. Only the first occurrences are reported, and only so many. */
  note(path: readonly Step[], level: number): void {
    if (this.#errors.length >= MAX_DUPLICATES || this.#characters > MAX_CHARACTERS) return;
    for (let i = this.#branch.length - 1; i <= level; i++)
      this.#branch.push(childOf(this.#branch[i]!, path[i]!));
    const field = this.#branch[level + 1]!;
    if (field.noted) return;
    field.noted = true;
    const error = `duplicate field ${quoteGo(printPath(path, level))}`;
    this.#characters += error.length;
    this.#errors.push(error);
  }
}

function childOf(field: Field, step: Step): Field {
  let child = field.children.get(step);
  if (child === undefined) {
    child = newField();
    field.children.set(step, child);
  }
  return child;
}

function printPath(path: readonly Step[], level: number): string {
  let printed = '';
  for (let i = 0; i <= level; i++) {
    const step = path[i]!;
    printed += typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`;
  }
  return printed;
}
