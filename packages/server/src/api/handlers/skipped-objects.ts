// ?instar.dev/skipUnconvertible=true: a list contains what can be converted, and names in Warning headers
// what it skips; a delete, of one object or of many, takes objects as they are stored. Without it, one object
// that cannot be converted fails the whole list, as KEP-598 specifies.
import type { ConversionFailure } from '@instar/convert';
import type { CachedObject } from '../../objects/cached-object.ts';
import { ConversionError } from '../../objects/forms/conversion-error.ts';
import { SKIP_UNCONVERTIBLE } from '../../objects/skip-unconvertible.ts';
import { parseBool } from './options.ts';
import type { RequestScope } from './request-scope.ts';

export function skipsUnconvertible({ request }: RequestScope): boolean {
  const text = request.query.get(SKIP_UNCONVERTIBLE);
  return text !== null && parseBool(SKIP_UNCONVERTIBLE, text);
}

/** The first objects are named, each with the reason; the rest are counted. */
const MAX_NAMED_OBJECTS = 10;
const MAX_REASON_CHARACTERS = 300;

export class SkippedObjects {
  readonly #reasons = new Map<string, string>();
  #unreachable: ConversionFailure | undefined;

  readonly add = ({ metadata }: CachedObject, failure: ConversionFailure): void => {
    if (failure.isUnreachable) this.#unreachable ??= failure;
    const { namespace = '', name = '', uid = '' } = metadata;
    this.#reasons.set(`${namespace === '' ? '' : `${namespace}/`}${name} (uid ${uid})`, failure.message);
  };

  get count(): number {
    return this.#reasons.size;
  }

  /**
   * If the webhook is unreachable, the objects may well be convertible: a list without all of them would be
   * wrong.
   */
  throwIfUnreachable(): void {
    if (this.#unreachable !== undefined) throw new ConversionError(this.#unreachable, { withUid: true });
  }

  warnings(apiVersion: string): string[] {
    const named = [...this.#reasons]
      .slice(0, MAX_NAMED_OBJECTS)
      .map(([object, why]) => `skipped ${object}: ${why.slice(0, MAX_REASON_CHARACTERS)}`);
    const unnamed = this.count - named.length;
    const total = `${this.count} ${this.count === 1 ? 'object' : 'objects'} cannot be converted to ${apiVersion} and ${this.count === 1 ? 'is' : 'are'} left out`;
    return [total, ...named, ...(unnamed > 0 ? [`skipped ${unnamed} more`] : [])];
  }
}
