// Which form of an answer the client wants: the Accept header with Kubernetes' parameters (as, g, v, stream),
// and pretty printing.
import { apiErrors } from '@instar/machinery';
import type { ApiRequest } from './exchange.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export type MediaType = 'application/json' | 'application/yaml' | typeof PROTOBUF;

type Representation = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface Negotiated {
  readonly mediaType: MediaType;
  readonly shape: Representation;
  /** The version of meta.k8s.io that a Table or PartialObjectMetadata is wanted in. */
  readonly shapeVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}

const MEDIA_TYPES: readonly MediaType[] = ['application/json', 'application/yaml', PROTOBUF];

/** The list that clients are shown, also where not every one of them is to be had. */
const ACCEPTED_TEXT = MEDIA_TYPES.join(', ');

const notAcceptable = () =>
  apiErrors.notAcceptable(`only the following media types are accepted: ${ACCEPTED_TEXT}`);
export const unsupportedMediaType = () =>
  apiErrors.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED_TEXT}`,
  );

export const noRepresentation = () =>
  apiErrors.raw({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${ACCEPTED_TEXT}`,
    details: {},
  });

interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

export function parseAccept(header: string): Clause[] {
  const clauses: Clause[] = [];
  for (const part of header.split(',')) {
    const [type, ...rest] = part.split(';');
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const equals = parameter.indexOf('=');
      if (equals > 0) parameters.set(parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim());
    }
    const quality = Number(parameters.get('q') ?? '1');
    clauses.push({ type: type!.trim(), quality: Number.isNaN(quality) ? 1 : quality, parameters });
  }
  return clauses.sort((a, b) => b.quality - a.quality || specificity(b.type) - specificity(a.type));
}

const specificity = (type: string): number => (type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2);

function matches(clause: Clause, mediaType: MediaType): boolean {
  return clause.type === mediaType || clause.type === 'application/*' || clause.type === '*/*';
}

/** Whether any of the media types that the client takes is spoken here, whatever shape it wants. */
export function acceptsKnownType(request: ApiRequest): boolean {
  const header = request.headers['accept'];
  const clauses = parseAccept(Array.isArray(header) ? header.join(',') : (header ?? ''));
  return clauses.some((clause) => MEDIA_TYPES.some((mediaType) => matches(clause, mediaType)));
}

export interface NegotiationRules {
  /** Shapes other than the object itself that the endpoint can give. */
  readonly shapes: readonly Representation[];
  /** Watches are streams: YAML cannot be one. */
  readonly stream?: boolean;
}

export const PLAIN: NegotiationRules = { shapes: [] };

/**
 * Objects that are not typed (custom resources) have no form in protobuf; their metadata alone has one all
 * the same.
 */
export function negotiate(request: ApiRequest, rules: NegotiationRules, typed = true): Negotiated {
  const header = request.headers['accept'];
  const accept = Array.isArray(header) ? header.join(',') : (header ?? '');
  const pretty = isPretty(request);
  if (accept === '' || accept === 'application/json')
    return { mediaType: 'application/json', shape: 'Object', shapeVersion: 'v1', pretty };
  for (const clause of parseAccept(accept)) {
    for (const mediaType of MEDIA_TYPES) {
      if (!matches(clause, mediaType)) continue;
      if (mediaType === PROTOBUF && !hasProtobuf(clause, typed)) continue;
      const accepted = shapeOf(clause, mediaType, rules);
      if (accepted === undefined) continue;
      if (rules.stream && mediaType === 'application/yaml') throw notAcceptable();
      return { mediaType, ...accepted, pretty };
    }
  }
  throw notAcceptable();
}

/** Tables have none either: cells may be of any type, which no message can express. */
function hasProtobuf({ parameters }: Clause, typed: boolean): boolean {
  return parameters.has('as') ? parameters.get('as') !== 'Table' : typed;
}

function shapeOf(
  clause: Clause,
  mediaType: MediaType,
  rules: NegotiationRules,
): Pick<Negotiated, 'shape' | 'shapeVersion'> | undefined {
  const { parameters } = clause;
  const stream = parameters.get('stream');
  if (stream && (mediaType === 'application/yaml' || stream !== 'watch')) return undefined;
  const as = parameters.get('as');
  const group = parameters.get('g');
  const version = parameters.get('v');
  if (as === undefined && group === undefined && version === undefined)
    return { shape: 'Object', shapeVersion: 'v1' };
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  const shape = rules.shapes.find((known) => known === as);
  return shape === undefined ? undefined : { shape, shapeVersion: version };
}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

function isPretty(request: ApiRequest): boolean {
  if (request.rawQuery.includes('pretty')) {
    const value = request.query.get('pretty');
    if (value) return TRUE.has(value);
  }
  const agent = request.headers['user-agent'];
  return (
    typeof agent === 'string' &&
    (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'))
  );
}
