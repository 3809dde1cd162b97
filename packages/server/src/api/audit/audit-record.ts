// What is known of one request for its audit events: filled in while the request is answered, and turned into
// an event at each stage.
import { printMicroTime } from '@instar/go';
import type { JsonObject, Status } from '@instar/machinery';
import type { ApiRequest, ApiResponse, AuditTrail, UserInfo } from '../../wire/exchange.ts';
import type { Attributes } from '../auth/authorizer.ts';
import { bodyLength, MAX_AUDITED_BYTES, objectText, patchText, responseText, statusOf } from './bodies.ts';
import { AuditEvent, type AuditedUser, type ObjectReference, TRUNCATED } from './event.ts';
import type { AuditStage, AuditTerms } from './policy.ts';
import { sourceIps } from './source-ips.ts';

const MAX_AGENT_LENGTH = 1024;
/** Requests that take longer say how long. */
const SLOW_MS = 500;

export class AuditRecord implements AuditTrail {
  readonly #request: ApiRequest;
  readonly #terms: AuditTerms;
  readonly #user: AuditedUser;
  readonly #verb: string;
  readonly #objectRef: ObjectReference | undefined;
  #impersonated: AuditedUser | undefined;
  #constraint = '';
  #annotations: Map<string, string> | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: Partial<Status> | undefined;

  constructor(request: ApiRequest, attributes: Omit<Attributes, 'selectors'>, terms: AuditTerms) {
    this.#request = request;
    this.#terms = terms;
    this.#user = auditedUser(attributes.user);
    this.#verb = attributes.verb;
    this.#objectRef = attributes.isResourceRequest ? referenceOf(attributes) : undefined;
  }

  get hasBodies(): boolean {
    return this.#terms.level === 'Request' || this.#terms.level === 'RequestResponse';
  }

  annotate(key: string, value: string): void {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.#impersonated = auditedUser(user);
    this.#constraint = constraint;
  }

  requestObject(object: object): void {
    this.#nameObject((object as JsonObject)['metadata'] as JsonObject | undefined);
    if (this.hasBodies) this.#requestObject = objectText(object, this.#terms.omitManagedFields);
  }

  requestPatch(patch: Uint8Array, isYaml: boolean): Promise<void> | undefined {
    if (!this.hasBodies) return undefined;
    return patchText(patch, isYaml).then((text) => {
      this.#requestObject = text;
    });
  }

  /** The request has failed with this. */
  failed({ status, message, reason, details, code }: Status): void {
    this.#status = { status, message, reason, details, code } as Partial<Status>;
  }

  /** Takes over what the events say of the response. */
  async answered(response: ApiResponse, code = response.status): Promise<void> {
    if (this.#status === undefined && this.#verb === 'delete') await this.#readStatus(response);
    this.#status = { ...this.#status, code };
    if (this.#terms.level === 'RequestResponse') await this.#readBody(response);
  }

  async #readStatus(response: ApiResponse): Promise<void> {
    const status = await statusOf(response);
    if (status !== undefined) this.failed(status as unknown as Status);
  }

  async #readBody(response: ApiResponse): Promise<void> {
    if (bodyLength(response.body) > MAX_AUDITED_BYTES) this.annotate(TRUNCATED, 'true');
    else this.#responseObject = await responseText(response, this.#terms.omitManagedFields);
  }

  /** Undefined: the policy omits the stage. */
  eventAt(stage: AuditStage): AuditEvent | undefined {
    if (this.#terms.omitStages.has(stage)) return undefined;
    const { receivedAt, startedAt, headers, uri } = this.#request;
    const elapsed = performance.now() - startedAt;
    if (stage === 'ResponseComplete') this.#explainLatency(elapsed);
    const agent = headers['user-agent'];
    const received = printTime(receivedAt);
    return new AuditEvent({
      level: this.#terms.level,
      auditID: auditIdOf(this.#request),
      stage,
      requestURI: uri,
      verb: this.#verb,
      user: this.#user,
      impersonatedUser: this.#impersonated,
      authenticationMetadata:
        this.#constraint === '' ? undefined : { impersonationConstraint: this.#constraint },
      sourceIPs: sourceIps(this.#request),
      userAgent: typeof agent === 'string' && agent !== '' ? truncatedAgent(agent) : undefined,
      objectRef: this.#objectRef && { ...this.#objectRef },
      responseStatus: this.#status && { metadata: {}, ...this.#status },
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      requestReceivedTimestamp: received,
      stageTimestamp: stage === 'RequestReceived' ? received : printTime(receivedAt + elapsed),
      annotations: this.#annotations && Object.fromEntries(this.#annotations),
    });
  }

  #explainLatency(elapsed: number): void {
    if (elapsed > SLOW_MS) this.annotate('apiserver.latency.k8s.io/total', goDuration(elapsed));
  }

  /** What the path says takes precedence. */
  #nameObject(metadata: JsonObject | undefined): void {
    const ref = this.#objectRef;
    if (ref === undefined || metadata === undefined) return;
    const { namespace, name, uid, resourceVersion } = metadata;
    const from = { namespace, name, uid, resourceVersion };
    for (const [member, value] of Object.entries(from))
      if (typeof value === 'string' && value !== '') ref[member as keyof ObjectReference] ??= value;
  }
}

/** The client's own id for the request, if it sent one. */
export function auditIdOf({ headers, id }: Pick<ApiRequest, 'headers' | 'id'>): string {
  const sent = headers['audit-id'];
  return typeof sent === 'string' && sent !== '' ? sent : id;
}

const printTime = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds);
  return printMicroTime(whole, Math.floor((milliseconds - whole) * 1000));
};

const goDuration = (milliseconds: number): string =>
  milliseconds >= 1000
    ? `${Number((milliseconds / 1000).toFixed(6))}s`
    : `${Number(milliseconds.toFixed(3))}ms`;

const truncatedAgent = (agent: string): string =>
  agent.length > MAX_AGENT_LENGTH ? `${agent.slice(0, MAX_AGENT_LENGTH)}...TRUNCATED` : agent;

/** Without empty members, as Go's omitempty. */
function auditedUser({ name, uid, groups, extra }: UserInfo): AuditedUser {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function referenceOf(attributes: Omit<Attributes, 'selectors'>): ObjectReference {
  const { resource, namespace, name, group, version, subresource } = attributes;
  return {
    ...(resource !== '' && { resource }),
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    ...(version !== '' && { apiVersion: version }),
    ...(subresource !== '' && { subresource }),
  };
}
