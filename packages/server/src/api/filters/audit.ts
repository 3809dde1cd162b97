// Audits requests. The filter, which runs once the user is known, finds what the policy wants of a request;
// the finisher sends its events. Requests that fail to authenticate never get to the filter: they have one
// event, like upstream's.
import { quoteGo } from '@instar/go';
import { apiErrors } from '@instar/machinery';
import { apiErrorOf } from '../../wire/api-error-of.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Filter,
  type Finisher,
  isStreamBody,
  type StreamBody,
} from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import { AuditRecord } from '../audit/audit-record.ts';
import type { Auditing } from '../audit/auditing.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { AuditStage } from '../audit/policy.ts';
import { attributesOf } from '../auth/attributes.ts';
import { withoutHtml } from '../auth/forbidden.ts';

/** Subresources that are streams. */
const LONG_RUNNING: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

const isLongRunning = ({ info }: ApiRequest): boolean =>
  info.verb === 'watch' || (info.isResourceRequest && LONG_RUNNING.has(info.subresource));

export class AuditFilter {
  readonly #auditing: Auditing;
  readonly #panicked = new WeakSet<ApiRequest>();

  constructor(auditing: Auditing) {
    this.#auditing = auditing;
  }

  readonly filter: Filter = (request, next) => {
    const record = this.#recordOf(request);
    if (record === undefined) return next(request);
    request.audit = record;
    return this.#audited(record, request, () => next(request));
  };

  readonly finish: Finisher = (request, response) => {
    // Only then is there no user.
    if (response.status === 401 && request.user.name === '') return this.#unauthenticated(request, response);
    const record = request.audit;
    return record instanceof AuditRecord ? this.#finished(record, request, response) : response;
  };

  #recordOf(request: ApiRequest): AuditRecord | undefined {
    const attributes = attributesOf(request);
    const terms = this.#auditing.termsOf(attributes);
    this.#auditing.metrics.levels.with(terms.level).value++;
    return terms.level === 'None' ? undefined : new AuditRecord(request, attributes, terms);
  }

  async #audited(
    record: AuditRecord,
    request: ApiRequest,
    next: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const received = this.#send(record, 'RequestReceived');
    if (!(typeof received === 'boolean' ? received : await received)) {
      this.#auditing.metrics.rejected.with().value++;
      request.audit = undefined;
      return notStored(request);
    }
    try {
      return await next();
    } catch (error) {
      const expected = apiErrorOf(error);
      if (expected !== undefined) record.failed(expected.status);
      else if (!request.signal.aborted) this.#panicked.add(request);
      throw error;
    }
  }

  async #unauthenticated(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
    const record = this.#recordOf(request);
    if (record === undefined) return response;
    record.failed(apiErrors.unauthorized().status);
    await record.answered(response);
    await this.#send(record, 'ResponseStarted');
    return response;
  }

  async #finished(record: AuditRecord, request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
    await record.answered(response, codeOf(request, response));
    if (isLongRunning(request)) await this.#send(record, 'ResponseStarted');
    if (isStreamBody(response.body))
      return atEnd(response, response.body, () => void this.#send(record, 'ResponseComplete'));
    const isPanic = this.#panicked.has(request);
    const sent = this.#send(record, isPanic ? 'Panic' : 'ResponseComplete');
    if (typeof sent !== 'boolean') await sent;
    return response;
  }

  #send(record: AuditRecord, stage: AuditStage): boolean | Promise<boolean> {
    const event: AuditEvent | undefined = record.eventAt(stage);
    if (event === undefined) return true;
    this.#auditing.metrics.events.with().value++;
    return this.#auditing.backend.process([event]);
  }
}

/** Text, as upstream's. */
const notStored = ({ uri }: ApiRequest): ApiResponse => {
  const failure = 'failed to store audit event';
  const text = withoutHtml(`Internal Server Error: ${quoteGo(uri)}: ${failure}`);
  return { ...errorText(500, text), failure };
};

/** The handshake of a WebSocket is answered with 101. */
const codeOf = ({ headers }: ApiRequest, { status, body }: ApiResponse): number =>
  isStreamBody(body) && String(headers['upgrade'] ?? '').toLowerCase() === 'websocket' ? 101 : status;

function atEnd(response: ApiResponse, body: StreamBody, ended: () => void): ApiResponse {
  const start: StreamBody['start'] = (sink) => {
    const stop = body.start(sink);
    return () => {
      ended();
      stop();
    };
  };
  return { ...response, body: { start } };
}
