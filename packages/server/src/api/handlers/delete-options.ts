// The options of a DELETE: in the body if there is one, otherwise in the query.

import { quoteGo } from '@instar/go';
import {
  apiErrors,
  type FieldError,
  fieldErrors,
  goJsonType,
  isJsonObject,
  type JsonObject,
} from '@instar/machinery';
import type { DeleteOptions } from '../../objects/write/delete.ts';
import type { ApiRequest } from '../../wire/exchange.ts';
import { dryRunErrors, parseInt64, refuseInvalid } from './options.ts';
import { bodyType, parseBody } from './parse-body.ts';

interface RawOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** `groupVersion` is that of the resource: the options may have it too, since every group registers them. */
export async function readDeleteOptions(request: ApiRequest, groupVersion: string): Promise<DeleteOptions> {
  const body = await request.readBody();
  const raw = body.byteLength > 0 ? await fromBody(body, request, groupVersion) : fromQuery(request.query);
  refuseInvalid('DeleteOptions', errorsOf(raw));
  return {
    ...raw,
    dryRun: raw.dryRun.length > 0,
    propagationPolicy: raw.propagationPolicy as DeleteOptions['propagationPolicy'],
    given: givenOptions(raw),
  };
}

function givenOptions({
  dryRun,
  gracePeriodSeconds,
  orphanDependents,
  propagationPolicy,
  uid,
  resourceVersion,
}: RawOptions): JsonObject {
  const given: JsonObject = {};
  if (gracePeriodSeconds !== undefined) given['gracePeriodSeconds'] = gracePeriodSeconds;
  if (uid !== undefined || resourceVersion !== undefined) {
    given['preconditions'] = {
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    };
  }
  if (orphanDependents !== undefined) given['orphanDependents'] = orphanDependents;
  if (propagationPolicy !== undefined) given['propagationPolicy'] = propagationPolicy;
  if (dryRun.length > 0) given['dryRun'] = [...dryRun];
  return given;
}

function fromQuery(query: URLSearchParams): RawOptions {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  return {
    dryRun: query.getAll('dryRun'),
    gracePeriodSeconds: grace === null || grace === '' ? undefined : parseInt64(grace),
    orphanDependents: orphan === null ? undefined : orphan !== 'false' && orphan !== '0',
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    uid: undefined,
    resourceVersion: undefined,
  };
}

async function fromBody(body: Uint8Array, request: ApiRequest, groupVersion: string): Promise<RawOptions> {
  const value = await parseOptions(body, request);
  const { apiVersion = '', kind = '' } = value;
  if (kind !== '' && kind !== 'DeleteOptions') throw notRegistered(String(kind), String(apiVersion || 'v1'));
  if (
    apiVersion !== '' &&
    apiVersion !== 'v1' &&
    apiVersion !== 'meta.k8s.io/v1' &&
    apiVersion !== groupVersion
  )
    throw notRegistered('DeleteOptions', String(apiVersion));
  const preconditions = isJsonObject(value['preconditions']) ? value['preconditions'] : {};
  return {
    dryRun: Array.isArray(value['dryRun']) ? value['dryRun'].map(String) : [],
    gracePeriodSeconds: typed<number>(value, 'gracePeriodSeconds', 'number', 'int64'),
    orphanDependents: typed<boolean>(value, 'orphanDependents', 'boolean', 'bool'),
    propagationPolicy: typed<string>(value, 'propagationPolicy', 'string', 'v1.DeletionPropagation'),
    uid: typed<string>(preconditions, 'uid', 'string', 'types.UID'),
    resourceVersion: typed<string>(preconditions, 'resourceVersion', 'string', 'string'),
  };
}

async function parseOptions(body: Uint8Array, request: ApiRequest): Promise<JsonObject> {
  const { value } = await parseBody(body, bodyType(request), apiErrors.badRequest);
  if (!isJsonObject(value)) throw apiErrors.badRequest('decoded object cannot be converted to DeleteOptions');
  return value;
}

function notRegistered(kind: string, apiVersion: string) {
  const scheme = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';
  return apiErrors.badRequest(
    `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme ${quoteGo(scheme)}`,
  );
}

function typed<T>(object: JsonObject, field: string, type: string, goType: string): T | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === type) return value as T;
  throw apiErrors.badRequest(
    `json: cannot unmarshal ${goJsonType(value)} into Go struct field DeleteOptions.${field} of type ${goType}`,
  );
}

function errorsOf(raw: RawOptions): FieldError[] {
  const errors: FieldError[] = [];
  const policy = raw.propagationPolicy;
  if (raw.orphanDependents !== undefined && policy !== undefined) {
    errors.push(
      fieldErrors.invalid(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(fieldErrors.notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  return [...errors, ...dryRunErrors(raw.dryRun)];
}
