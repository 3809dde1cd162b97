// Writes the record when it has changed, after a short delay, so that a thousand changes are a few writes.
import type { KubeApi } from '@instar/client';
import { type Clock, type Log, sleep } from '@instar/serving';
import { type LabellerRecord, nextRecord, type RecordLocation, readRecord, writeRecord } from './record.ts';
import { LABELLER_NAME } from './resource-labeller.ts';

const PAUSE_MS = 1000;
const AFTER_FAILURE_MS = 5000;

export class RecordKeeper {
  readonly #api: KubeApi;
  readonly #place: RecordLocation;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #seen: () => Omit<LabellerRecord, 'cleanSince'> | undefined;
  #before: LabellerRecord | undefined;
  #dirty = false;
  #wake = (): void => undefined;

  /** `seen` is undefined as long as nothing is known. */
  constructor(
    api: KubeApi,
    place: RecordLocation,
    clock: Clock,
    log: Log,
    seen: () => Omit<LabellerRecord, 'cleanSince'> | undefined,
  ) {
    this.#api = api;
    this.#place = place;
    this.#clock = clock;
    this.#log = log;
    this.#seen = seen;
  }

  /** Something may have changed. */
  touch(): void {
    const seen = this.#seen();
    if (seen === undefined) return;
    this.#before = nextRecord(this.#before, seen, this.#clock.now());
    this.#dirty = true;
    this.#wake();
  }

  /** What an earlier leader found clean stays clean until something invalid is seen. */
  async load(): Promise<void> {
    this.#before = await readRecord(this.#api, this.#place);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#untilDirty(signal);
      if (signal.aborted) return;
      const wait = (await this.#write()) ? PAUSE_MS : AFTER_FAILURE_MS;
      await sleep(this.#clock, wait, signal).catch(() => undefined);
    }
  }

  #untilDirty(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#dirty || signal.aborted) {
        resolve();
        return;
      }
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async #write(): Promise<boolean> {
    this.#dirty = false;
    try {
      await writeRecord(this.#api, this.#place, this.#before!, LABELLER_NAME);
      return true;
    } catch (error) {
      this.#dirty = true;
      this.#log.warn({ err: error }, 'cannot write the record; will retry');
      return false;
    }
  }
}
