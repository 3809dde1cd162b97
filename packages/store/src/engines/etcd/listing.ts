// Lists, in pages of moderate size, all at one revision.
import type { ListOptions, ListPage, StoredEntry } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { isEmptyRange, nextKey, prefixRange, type Range, without } from './key-range.ts';

const PAGE = 1_000;

/** `hidden` is a key that is not the user's. */
export async function readPage(
  client: EtcdClient,
  namespace: string,
  options: ListOptions,
  hidden: Uint8Array,
): Promise<ListPage> {
  const { after } = options;
  const range = prefixRange(namespace + options.prefix, after === undefined ? undefined : namespace + after);
  const reading = new ListingRun(client, namespace, options);
  for (const part of without(range, hidden)) await reading.read(part);
  return reading.page;
}

class ListingRun {
  readonly #client: EtcdClient;
  readonly #namespace: string;
  readonly #limit: number;
  readonly #entries: StoredEntry[] = [];
  #revision: number | undefined;
  #remaining = 0;

  constructor(client: EtcdClient, namespace: string, { limit, revision }: ListOptions) {
    this.#client = client;
    this.#namespace = namespace;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#revision = revision;
  }

  get page(): ListPage {
    return {
      entries: this.#entries,
      revision: this.#revision!,
      more: this.#remaining > 0,
      remaining: this.#remaining,
    };
  }

  async read(range: Range): Promise<void> {
    for (let rest: Range | undefined = range; rest !== undefined; ) rest = await this.#readSome(rest);
  }

  /** Returns what is still to be read. */
  async #readSome(range: Range): Promise<Range | undefined> {
    const limit = Math.min(this.#limit - this.#entries.length, PAGE);
    // For an empty range, or if nothing more is wanted, the revision is still needed, and the count of what
    // is left.
    const wanted = isEmptyRange(range)
      ? { key: range.key, countOnly: true }
      : limit === 0
        ? { ...range, countOnly: true }
        : { ...range, limit };
    const page = await this.#client.range({
      ...wanted,
      ...(this.#revision !== undefined && { revision: this.#revision }),
    });
    this.#revision ??= page.revision;
    this.#entries.push(...page.entries);
    const left = isEmptyRange(range) ? 0 : page.count - page.entries.length;
    if (page.more && this.#entries.length < this.#limit) {
      return { key: nextKey(Buffer.from(this.#namespace + page.entries.at(-1)!.key)), end: range.end };
    }
    this.#remaining += left;
    return undefined;
  }
}
