// Content negotiation: the Accept header with Kubernetes' parameters (as, g, v, stream), and pretty printing.
import { apiErrors } from '@instar/machinery';
import type { ApiRequest } from './exchange.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export type MediaType = 'application/json' | 'application/yaml' | typeof PROTOBUF;

type Representation = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface Negotiated {
  readonly mediaType: MediaType;
  readonly representation: Representation;
  /** The requested version of meta.k8s.io, for a Table or PartialObjectMetadata. */
  readonly representationVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}

const MEDIA_TYPES: readonly MediaType[] = ['application/json', 'application/yaml', PROTOBUF];

/** The list in errors, even if an endpoint does not support all of them. */
const ACCEPTED_TEXT = MEDIA_TYPES.join(', ');

const notAcceptable = () =>
  apiErrors.notAcceptable(`only the following media types are accepted: ${ACCEPTED_TEXT}`);
export const unsupportedMediaType = () =>
  apiErrors.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED_TEXT}`,
  );

const STREAMED_TEXT = `application/json;stream=watch, ${PROTOBUF};stream=watch`;

/** The error of upstream's router. Collections can be watched, so they list the streams too. */
const noRepresentation = (known: readonly string[], isCollection: boolean) =>
  apiErrors.raw({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${known.join(', ')}${isCollection ? `, ${STREAMED_TEXT}` : ''}`,
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
    const [range, ...rest] = part.split(';');
    const type = range!.trim() === '*' ? '*/*' : range!.trim();
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const [name, value = '', ...more] = parameter.split('=');
      // As upstream, which ignores a parameter without a value.
      if (value !== '' && more.length === 0) parameters.set(name!.trim(), value.trim());
    }
    const quality = Number(parameters.get('q') ?? '1');
    clauses.push({ type, quality: Number.isNaN(quality) ? 0 : quality, parameters });
  }
  return clauses.sort((a, b) => b.quality - a.quality || specificity(b.type) - specificity(a.type));
}

const specificity = (type: string): number => (type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2);

function matches(clause: Clause, mediaType: MediaType): boolean {
  return clause.type === mediaType || clause.type === 'application/*' || clause.type === '*/*';
}

/** The media ranges of a header without their parameters, as upstream's router compares them. */
export const mediaRanges = (header: string): string[] =>
  header.split(',').map((range) => range.split(';', 1)[0]!.replace(/^ +| +$/g, ''));

/**
 * Requests for typed kinds pass upstream's router first, which knows our media types and any type, but no
 * other wildcard, and refuses the rest with its own message.
 */
export function checkRoutable(
  request: ApiRequest,
  isCollection: boolean,
  known: readonly string[] = MEDIA_TYPES,
): void {
  const accept = acceptHeader(request);
  if (accept === '' || accept === 'application/json') return;
  const isKnown = (range: string) => range === '*/*' || known.includes(range);
  if (!mediaRanges(accept).some(isKnown)) throw noRepresentation(known, isCollection);
}

function acceptHeader(request: ApiRequest): string {
  const header = request.headers['accept'];
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}

export interface NegotiationRules {
  /** The representations other than the object itself that the endpoint supports. */
  readonly representations: readonly Representation[];
  /** For watches: YAML cannot be streamed. */
  readonly stream?: boolean;
}

export const PLAIN: NegotiationRules = { representations: [] };

/**
 * Objects that are not typed (custom resources) have no protobuf message, but their metadata alone has one.
 */
export function negotiate(request: ApiRequest, rules: NegotiationRules, typed = true): Negotiated {
  const accept = acceptHeader(request);
  const pretty = isPretty(request);
  if (accept === '' || accept === 'application/json')
    return { mediaType: 'application/json', representation: 'Object', representationVersion: 'v1', pretty };
  for (const clause of parseAccept(accept)) {
    for (const mediaType of MEDIA_TYPES) {
      if (!matches(clause, mediaType)) continue;
      if (mediaType === PROTOBUF && !hasProtobuf(clause, typed)) continue;
      const accepted = representationOf(clause, mediaType, rules);
      if (accepted === undefined) continue;
      if (rules.stream && mediaType === 'application/yaml') throw notAcceptable();
      return { mediaType, ...accepted, pretty: pretty || clause.parameters.get('pretty') === '1' };
    }
  }
  throw notAcceptable();
}

/** Tables have no message either: cells may be of any type. */
function hasProtobuf({ parameters }: Clause, typed: boolean): boolean {
  return parameters.has('as') ? parameters.get('as') !== 'Table' : typed;
}

function representationOf(
  clause: Clause,
  mediaType: MediaType,
  rules: NegotiationRules,
): Pick<Negotiated, 'representation' | 'representationVersion'> | undefined {
  const { parameters } = clause;
  const stream = parameters.get('stream');
  if (stream && (mediaType === 'application/yaml' || stream !== 'watch')) return undefined;
  const as = parameters.get('as');
  const group = parameters.get('g');
  const version = parameters.get('v');
  if (as === undefined && group === undefined && version === undefined)
    return { representation: 'Object', representationVersion: 'v1' };
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  const representation = rules.representations.find((known) => known === as);
  return representation === undefined ? undefined : { representation, representationVersion: version };
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
