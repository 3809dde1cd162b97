// Decodes the bytes of a body, or the result of a patch, to an object in the version of the request, with
// upstream's error messages.

import { decodeUtf8, quoteGo } from '@instar/go';
import {
  apiErrors,
  asKubeObject,
  decodeObjectMeta,
  encodeGoJson,
  encodeJson,
  fieldErrorMessage,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  memberPaths,
  parseApiVersion,
  type WholeFloatAt,
  withoutWholeFloats,
  withWholeFloats,
} from '@instar/machinery';
import type { VersionDefinition } from '../../objects/definition.ts';
import type { Resource } from '../../objects/resource.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { MediaType } from '../../wire/negotiate.ts';
import { messageOfKind } from '../../wire/protobuf/kinds.ts';
import type { FieldValidation } from './options.ts';
import { parseBody } from './parse-body.ts';
import { type SentTypeMeta, sentTypeMeta } from './sent-type-meta.ts';

/** The part of a version that decoding needs. */
type DecodedVersion = Pick<
  VersionDefinition,
  'apiVersion' | 'group' | 'version' | 'decode' | 'schema' | 'unknownFieldHint'
>;

export interface Decoding {
  readonly resource: Resource;
  readonly version: DecodedVersion;
  /** The kind of the body, if it is not that of the resource. */
  readonly kind?: string;
  readonly fieldValidation: FieldValidation;
  readonly warnings: string[];
  /** The write that the object is for: its slice yields between the steps. */
  readonly write?: WriteRequest | undefined;
}

export async function decodeBody(body: Uint8Array, type: MediaType, decoding: Decoding): Promise<KubeObject> {
  const parsed = await parseBody(body, type, (why, isRange) =>
    isRange ? cannotHandle(decoding, why) : unrecognized(decoding, why, body),
  );
  const { value, duplicates, wholeFloats } = parsed;
  const typeMeta = typeMetaOf(value, decoding, body);
  if ('fault' in typeMeta) throw unrecognized(decoding, typeMeta.fault, body);
  const { version } = decoding;
  const apiVersion = typeMeta.apiVersion || (version.decode === undefined ? '' : version.apiVersion);
  const kind = typeMeta.kind || kindOf(decoding);
  const isOwn =
    kind === kindOf(decoding) &&
    (apiVersion === version.apiVersion || decoding.resource.version(apiVersion) !== undefined);
  if (version.decode !== undefined && !isOwn && !isRegistered(apiVersion, kind, version))
    throw cannotHandle(decoding, noSuchKind(apiVersion, kind), kind, parseApiVersion(apiVersion));
  if (apiVersion !== version.apiVersion) {
    throw apiErrors.badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${version.apiVersion})`,
    );
  }
  const refused = (why: string) => cannotHandle(decoding, why, kind);
  const decoded = await interpret(value, kind, decoding, wholeFloats);
  await decoding.write?.slice?.yieldIfOver();
  if ('fault' in decoded) throw refused(decoded.fault);
  reportStrict(strictErrorsOf(body, type, duplicates, decoded, decoding), decoding, refused);
  return decoded.object;
}

const cannotHandle = (
  decoding: Decoding,
  why: string,
  kind = kindOf(decoding),
  { version } = parseApiVersion(decoding.version.apiVersion)!,
) =>
  apiErrors.badRequest(
    `${kind} in version ${quoteGo(version)} cannot be handled as a ${kindOf(decoding)}: ${why}`,
  );

const kindOf = ({ kind, resource }: Decoding): string => kind ?? resource.definition.names.kind;

/** In longer bodies, the paths of all fields could be a thousand times as long as the body. */
const MAX_ORDERED_BYTES = 64 * 1024;

/**
 * Go reads a JSON body straight into the type of a built-in kind, and finds repeated and unknown fields in
 * the order of the document. In all other bodies, and in long ones, the repeated ones are found first.
 */
function strictErrorsOf(
  body: Uint8Array,
  type: MediaType,
  duplicates: readonly string[],
  { strictErrors, unknownFields }: Decoded,
  { fieldValidation, version }: Decoding,
): readonly string[] {
  const all = [...duplicates, ...strictErrors];
  const isMixed = duplicates.length > 0 && strictErrors.length > 0 && fieldValidation !== 'Ignore';
  if (!isMixed || version.decode === undefined || type !== 'application/json') return all;
  if (body.byteLength > MAX_ORDERED_BYTES) return all;
  return inDocumentOrder(body, all, unknownFields);
}

/** Fields below unknown ones are not read, so that nothing is repeated there. */
function inDocumentOrder(body: Uint8Array, errors: readonly string[], unknownFields: readonly string[]) {
  const unknown = new Map(unknownFields.map((path) => [path, unknownField(path)]));
  const ordered = new Set<string>();
  const seen = new Set<string>();
  for (const path of memberPaths(decodeUtf8(body))) {
    const text = unknown.get(path) ?? (seen.has(path) ? duplicateField(path) : undefined);
    seen.add(path);
    const error = text && errors.find((each) => each === text || each.startsWith(`${text}: `));
    if (error !== undefined && !unknownFields.some((outer) => isBelow(path, outer))) ordered.add(error);
  }
  return [...ordered];
}

const isBelow = (path: string, outer: string): boolean =>
  path.startsWith(outer) && (path[outer.length] === '.' || path[outer.length] === '[');

/** Decodes the result of a patch as a body would be. */
export async function decodePatched(
  value: JsonValue,
  strictErrors: readonly string[],
  decoding: Decoding,
  wholeFloats?: readonly WholeFloatAt[],
): Promise<KubeObject> {
  const refused = (why: string) =>
    apiErrors.invalid({ group: '', kind: '' }, '', [fieldErrors.invalid('patch', encodeGoJson(value), why)]);
  const typeMeta = typeMetaOf(value, decoding, undefined);
  if ('fault' in typeMeta) throw refused(typeMeta.fault);
  const isTyped = decoding.version.decode !== undefined;
  if (typeMeta.apiVersion === '') {
    if (!isTyped)
      throw apiErrors.internal("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return withoutVersion(value as JsonObject, decoding, refused);
  }
  const isExpected = typeMeta.apiVersion === decoding.version.apiVersion;
  if (isTyped && !isExpected && decoding.resource.version(typeMeta.apiVersion) === undefined)
    throw refused(notRegistered(typeMeta));
  // A patch may set another version: the result is decoded in that one, and then refused by validation.
  const version = decoding.resource.version(typeMeta.apiVersion) ?? decoding.version;
  const decoded = await interpret(
    value,
    typeMeta.kind || kindOf(decoding),
    isTyped ? decoding : { ...decoding, version },
    wholeFloats,
  );
  if ('fault' in decoded) throw refused(decoded.fault);
  reportStrict([...strictErrors, ...decoded.strictErrors], decoding, refused);
  return decoded.object;
}

const isRegistered = (apiVersion: string, kind: string, version: DecodedVersion): boolean =>
  messageOfKind(apiVersion, kind) !== undefined ||
  (apiVersion === version.apiVersion && (kind === 'List' || kind.endsWith('List')));

const noSuchKind = (apiVersion: string, kind: string): string =>
  `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;

/** Upstream's internal types are in packages named for the group. */
function unknownConversion(kind: string, decoding: Decoding): string {
  const { version, group } = decoding.version;
  return `converting (${version}.${kind}) to (${group.split('.')[0] || 'core'}.${kindOf(decoding)}): unknown conversion`;
}

const notRegistered = ({ apiVersion, kind }: SentTypeMeta): string =>
  `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;

/** Upstream decodes it as its internal type, whose fields have other names: nothing is left but warnings. */
function withoutVersion(value: JsonObject, decoding: Decoding, refused: (why: string) => Error): KubeObject {
  const unknown = Object.keys(value).filter((name) => name !== 'kind' && name !== 'apiVersion');
  reportStrict(unknown.sort().map(unknownField), decoding, refused);
  return asKubeObject({
    apiVersion: decoding.version.apiVersion,
    kind: decoding.resource.definition.names.kind,
    metadata: {},
  });
}

type TypeMeta = SentTypeMeta | { readonly fault: string };

function typeMetaOf(value: JsonValue, decoding: Decoding, body: Uint8Array | undefined): TypeMeta {
  const sent = sentTypeMeta(value);
  if ('fault' in sent) return sent;
  const { apiVersion, kind } = sent;
  // If the body does not say it, typed kinds take the kind of the resource.
  if (kind === '' && decoding.version.decode === undefined) {
    return {
      fault: `Object 'Kind' is missing in '${body === undefined ? encodeJson(value) : Buffer.from(body).toString('utf8')}'`,
    };
  }
  return { apiVersion, kind };
}

function unrecognized(decoding: Decoding, why: string, body: Uint8Array) {
  return apiErrors.badRequest(
    `the object provided is unrecognized (must be of type ${kindOf(decoding)}): ${why} (${summarize(body)})`,
  );
}

/** Upstream shows the first 30 bytes: as text if it looks like an object, otherwise in hexadecimal. */
function summarize(body: Uint8Array): string {
  if (body.byteLength === 0) return '<empty>';
  const head = Buffer.from(body.subarray(0, 30));
  const text = body[0] === 0x7b ? head.toString('utf8') : head.toString('hex');
  return body.byteLength > 30 ? `${text} ...` : text;
}

interface Decoded {
  readonly object: KubeObject;
  readonly strictErrors: string[];
  /** Their paths. */
  readonly unknownFields: readonly string[];
}

type Interpreted = Decoded | { readonly fault: string };

const duplicateField = (path: string): string => `duplicate field ${quoteGo(path)}`;
const unknownField = (path: string): string => `unknown field ${quoteGo(path)}`;

function withHint(path: string, version: DecodedVersion): string {
  const hint = version.unknownFieldHint?.(path);
  return hint === undefined ? unknownField(path) : `${unknownField(path)}: ${hint}`;
}

async function interpret(
  value: JsonValue,
  kind: string,
  decoding: Decoding,
  wholeFloats?: readonly WholeFloatAt[],
): Promise<Interpreted> {
  const { version, write } = decoding;
  if (write !== undefined) write.wholeFloats = wholeFloats;
  if (version.decode === undefined) return interpretCustom(value as JsonObject, decoding);
  const own = kindOf(decoding);
  if (kind !== own) return { fault: unknownConversion(kind, decoding) };
  const decoded = version.decode(withWholeFloats(value, wholeFloats));
  if ('error' in decoded) return { fault: decoded.error };
  const object = wholeFloats === undefined ? decoded.object : withoutWholeFloats(decoded.object);
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  return {
    object: asKubeObject({ apiVersion: version.apiVersion, kind: own, ...rest }),
    strictErrors: decoded.unknownFields.map((path) => withHint(path, version)),
    unknownFields: decoded.unknownFields,
  };
}

/** As upstream, the kind is checked later, by validation. */
async function interpretCustom(value: JsonObject, { version, write }: Decoding): Promise<Interpreted> {
  const slice = write?.slice;
  const decoded = decodeObjectMeta(value['metadata'] ?? {});
  if ('fault' in decoded) return decoded;
  const object: JsonObject = { ...value, metadata: decoded.meta as unknown as JsonObject };
  const embedded = version.schema.embeddedFault(object);
  if (embedded !== undefined) return { fault: fieldErrorMessage(embedded) };
  await slice?.yieldIfOver();
  const unknown = [
    ...decoded.unknownFields.map((path) => `metadata.${path}`),
    ...version.schema.prune(object),
  ];
  await slice?.yieldIfOver();
  version.schema.applyDefaults(object);
  return { object: asKubeObject(object), strictErrors: unknown.map(unknownField), unknownFields: unknown };
}

/** Duplicate and unknown fields are refused, warned of or ignored, as the client requests. */
export function reportStrict(
  errors: readonly string[],
  decoding: Pick<Decoding, 'fieldValidation' | 'warnings'>,
  refused: (why: string) => Error,
): void {
  if (errors.length === 0 || decoding.fieldValidation === 'Ignore') return;
  if (decoding.fieldValidation === 'Strict') throw refused(`strict decoding error: ${errors.join(', ')}`);
  // Not as arguments of one call: there may be more of them than the stack holds.
  for (const error of errors) decoding.warnings.push(error);
}
