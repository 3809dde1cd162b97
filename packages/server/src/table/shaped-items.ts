// Lists in another shape than they are stored in, encoded item by item and a few milliseconds at a time: 10,000 rows of a Table are a tenth of a second
// of work, for which nobody else should wait.
import { encodeJson, type JsonObject } from '@instar/machinery';
import { parseOwnBytes } from '../resource/cached-object.ts';
import { inSlices } from '../resource/time-slice.ts';

/** Pieces are put together into chunks of about this size, so that the transport has few to write. */
const CHUNK_LENGTH = 64 * 1024;

/** The bytes of `list`, whose last member is an empty list (or null), with the shaped items in that. */
export async function encodeShaped(
  list: JsonObject,
  forms: readonly Uint8Array[],
  shape: (object: JsonObject) => JsonObject,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let text = encodeJson(list).replace(/(?:\[\]|null)\}$/, '[');
  let separator = '';
  await inSlices(forms, (form) => {
    text += separator + encodeJson(shape(parseOwnBytes(form)));
    separator = ',';
    if (text.length < CHUNK_LENGTH) return;
    chunks.push(Buffer.from(text));
    text = '';
  });
  chunks.push(Buffer.from(`${text}]}`));
  return chunks;
}
