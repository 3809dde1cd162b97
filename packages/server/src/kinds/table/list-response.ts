// Lists in another representation or encoding than the stored bytes of their items. They are encoded item by
// item, in slices of a few milliseconds: 10,000 rows of a Table take a tenth of a second, pretty-printing as
// many objects a second, and other requests must not wait for that.
import { encodeJson, type JsonObject, printYaml } from '@instar/machinery';
import { inSlices } from '../../objects/time-slice.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { type Negotiated, PROTOBUF } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { protobufListOf } from '../../wire/protobuf/encode.ts';
import { respondObject } from '../../wire/respond.ts';

interface ListToEncode {
  /** The list without its items: their field is null or an empty list. */
  readonly list: JsonObject;
  readonly member: 'items' | 'rows';
  readonly forms: readonly Uint8Array[];
  /** The representation of an item. */
  represent(object: JsonObject): JsonObject;
}

export async function respondList(given: ListToEncode, negotiated: Negotiated): Promise<ApiResponse> {
  if (given.forms.length === 0) return respondObject(200, given.list, negotiated);
  switch (negotiated.mediaType) {
    case 'application/yaml':
      return respondParts('application/yaml', await textParts(given, yamlOf(given)));
    case 'application/json':
      return respondJson(given, negotiated.pretty);
    case PROTOBUF: {
      const list = protobufListOf(given.list);
      // A kind without a protobuf message is sent in JSON, which all clients read.
      if (list === undefined) return respondJson(given, negotiated.pretty);
      const items: Uint8Array[] = [];
      await inSlices(given.forms, (form) => items.push(list.item(given.represent(parseOwnBytes(form)))));
      return respondParts(PROTOBUF, list.around(items));
    }
  }
}

async function respondJson(given: ListToEncode, pretty: boolean): Promise<ApiResponse> {
  return respondParts(
    'application/json',
    await textParts(given, pretty ? prettyOf(given) : compactOf(given)),
  );
}

const respondParts = (type: string, body: readonly Uint8Array[]): ApiResponse => ({
  status: 200,
  headers: { 'content-type': type },
  body,
});

/** A list as text: what is before, between and after its items, and the items. */
interface TextForm {
  readonly head: string;
  readonly separator: string;
  readonly end: string;
  item(object: JsonObject): string;
}

function compactOf({ list, member }: ListToEncode): TextForm {
  const { [member]: _, ...rest } = list;
  return {
    head: `${encodeJson(rest).slice(0, -1)},"${member}":[`,
    separator: ',',
    end: ']}',
    item: (object) => encodeJson(object),
  };
}

function prettyOf({ list, member }: ListToEncode): TextForm {
  const { [member]: _, ...rest } = list;
  const margin = '\n    ';
  return {
    head: `${encodeJson(rest, 2).slice(0, -2)},\n  "${member}": [${margin}`,
    separator: `,${margin}`,
    end: '\n  ]\n}\n',
    // Strings contain no line breaks.
    item: (object) => encodeJson(object, 2).replaceAll('\n', margin),
  };
}

/** Members are sorted by name, and a list is not indented below its name. */
function yamlOf({ list, member }: ListToEncode): TextForm {
  const [before, behind] = printYaml({ ...list, [member]: [] }).split(
    new RegExp(`^${member}: \\[\\]\\n`, 'm'),
  ) as [string, string];
  return { head: `${before}${member}:\n`, separator: '', end: behind, item: (object) => printYaml([object]) };
}

/** Pieces are joined to chunks of about this size, so that the transport has fewer writes. */
const CHUNK_LENGTH = 64 * 1024;

async function textParts(
  { forms, represent }: ListToEncode,
  { head, separator, end, item }: TextForm,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let text = head;
  let before = '';
  await inSlices(forms, (form) => {
    text += before + item(represent(parseOwnBytes(form)));
    before = separator;
    if (text.length < CHUNK_LENGTH) return;
    chunks.push(Buffer.from(text));
    text = '';
  });
  chunks.push(Buffer.from(text + end));
  return chunks;
}
