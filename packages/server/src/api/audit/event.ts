// An event of audit.k8s.io/v1: what happened to a request up to a stage. It is encoded at most once in each
// format, however many backends there are.
import { quoteGo } from '@instar/go';
import type { AuditLevel, AuditStage } from './policy.ts';

export interface AuditedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export interface EventFields {
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditedUser;
  readonly impersonatedUser?: AuditedUser | undefined;
  readonly authenticationMetadata?: { readonly impersonationConstraint: string } | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string | undefined;
  readonly objectRef?: ObjectReference | undefined;
  readonly responseStatus?: object | undefined;
  /** As JSON. */
  readonly requestObject?: string | undefined;
  /** As JSON. */
  readonly responseObject?: string | undefined;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const TYPE = '"kind":"Event","apiVersion":"audit.k8s.io/v1",';

export class AuditEvent {
  readonly fields: EventFields;
  #members: string | undefined;

  constructor(fields: EventFields) {
    this.fields = fields;
  }

  /** The event as an object of its own. */
  get json(): string {
    return `{${TYPE}${this.members}`;
  }

  /** The event as an item of an EventList, without the opening brace. */
  get members(): string {
    return (this.#members ??= encodeMembers(this.fields));
  }

  /** Without the bodies, for backends that limit the size. */
  truncated(): AuditEvent {
    const { requestObject: _request, responseObject: _response, ...rest } = this.fields;
    return new AuditEvent({
      ...rest,
      annotations: { ...rest.annotations, [TRUNCATED]: 'true' },
    });
  }

  get hasBodies(): boolean {
    return this.fields.level === 'Request' || this.fields.level === 'RequestResponse';
  }
}

/** The annotation of an event whose bodies were left out. */
export const TRUNCATED = 'audit.k8s.io/truncated';

/** The bodies are JSON already: they are put in between, in the order of upstream's fields. */
function encodeMembers({
  requestObject,
  responseObject,
  requestReceivedTimestamp,
  stageTimestamp,
  annotations,
  ...head
}: EventFields): string {
  const tail = JSON.stringify({ requestReceivedTimestamp, stageTimestamp, annotations });
  const bodies = [
    ...(requestObject === undefined ? [] : [`"requestObject":${requestObject},`]),
    ...(responseObject === undefined ? [] : [`"responseObject":${responseObject},`]),
  ];
  return `${JSON.stringify(head).slice(1, -1)},${bodies.join('')}${tail.slice(1)}`;
}

/** The format `legacy`: one line of text, without its newline. */
export function legacyLine({ fields }: AuditEvent): string {
  const { user, impersonatedUser: as, objectRef } = fields;
  const list = (texts: readonly string[] | undefined): string =>
    (texts ?? []).map((text) => quoteGo(text)).join(',');
  const groups = user.username && user.groups?.length ? list(user.groups) : '<none>';
  const response = (fields.responseStatus as { code?: number } | undefined)?.code;
  const parts = {
    id: fields.auditID,
    stage: fields.stage,
    ip: fields.sourceIPs[0] ?? '<unknown>',
    method: fields.verb,
    user: user.username || '<none>',
    groups,
    as: as === undefined ? '<self>' : (as.username ?? ''),
    asgroups: as?.groups === undefined ? '<lookup>' : list(as.groups),
    'user-agent': fields.userAgent ?? '',
    namespace: objectRef?.namespace || '<none>',
    uri: fields.requestURI,
  };
  const texts = Object.entries(parts).map(([name, value]) => `${name}=${quoteGo(value)}`);
  // Go's format of times leaves out zeros at the end of the fraction.
  const time = fields.requestReceivedTimestamp.replace(/\.?0+Z$/, 'Z');
  return `${time} AUDIT: ${texts.join(' ')} response="${response ?? (fields.responseStatus ? 0 : '<deferred>')}"`;
}
