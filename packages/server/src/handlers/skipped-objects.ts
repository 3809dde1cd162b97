// ?instar.dev/skipUnconvertible=true: a list shows what can be converted, and names in Warning headers what it leaves out; a delete by name needs no
// conversion. Without it one object that cannot be converted fails the whole list, as KEP-598 has it.
import type { CachedObject } from '../resource/cached-object.ts';
import type { Scope } from './scope.ts';

export const SKIP_UNCONVERTIBLE = 'instar.dev/skipUnconvertible';

export const skipsUnconvertible = ({ request }: Scope): boolean => request.query.get(SKIP_UNCONVERTIBLE) === 'true';

/** So many are named, each with the reason; the rest are counted. */
const MAX_NAMED = 10;
const MAX_REASON = 300;

export class SkippedObjects {
  readonly #reasons = new Map<string, string>();

  readonly add = ({ metadata }: CachedObject, why: string): void => {
    const { namespace = '', name = '', uid = '' } = metadata;
    this.#reasons.set(`${namespace === '' ? '' : `${namespace}/`}${name} (uid ${uid})`, why);
  };

  get count(): number {
    return this.#reasons.size;
  }

  warnings(apiVersion: string): string[] {
    const named = [...this.#reasons].slice(0, MAX_NAMED).map(([object, why]) => `skipped ${object}: ${why.slice(0, MAX_REASON)}`);
    const unnamed = this.count - named.length;
    const total = `${this.count} ${this.count === 1 ? 'object' : 'objects'} cannot be converted to ${apiVersion} and ${this.count === 1 ? 'is' : 'are'} left out`;
    return [total, ...named, ...(unnamed > 0 ? [`skipped ${unnamed} more`] : [])];
  }
}
