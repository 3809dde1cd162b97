// Splits a long list of objects into batches of bounded size.
import type { ConversionSource, ConversionSources, CutJson } from './source.ts';

export interface BatchLimits {
  readonly batchObjects: number;
  readonly batchBytes: number;
}

/** An object with its JSON: measured when batches are cut, sent with its batch. */
export interface Encoded {
  readonly index: number;
  readonly source: ConversionSource;
  readonly json: string | CutJson;
}

/** The batches in order. JSON is made only as far as the next batch reaches, not for the whole list. */
export function* batchesOf(
  sources: ConversionSources,
  { batchObjects, batchBytes }: BatchLimits,
): Generator<Encoded[]> {
  let batch: Encoded[] = [];
  let bytes = 0;
  for (let index = 0; index < sources.length; index++) {
    const source = sources.at(index)!;
    const json = source.json();
    const length = typeof json === 'string' ? json.length : json.head.length + json.rest.length;
    if (batch.length > 0 && (batch.length >= batchObjects || bytes + length > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ index, source, json });
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
