// The options of a DELETE: in the body if there is one, otherwise in the query.

import { quoteGo } from '@instar/go';
import { bool, field, int64, listOf, named, pointer, string, struct } from '@instar/kinds';
import { apiErrors, type FieldError, fieldErrors, type JsonObject, withWholeFloats } from '@instar/machinery';
import { typedDecoder } from '../../kinds/typed/decode.ts';
import type { DeleteOptions } from '../../objects/write/delete.ts';
import type { ApiRequest } from '../../wire/exchange.ts';
import { dryRunErrors, readBoolean, readInt64, refuseInvalid } from './options.ts';
import { bodyType, parseBody } from './parse-body.ts';
import { type SentTypeMeta, sentTypeMeta } from './sent-type-meta.ts';

interface RawOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.readBody();
  const raw = body.byteLength > 0 ? await fromBody(body, request) : fromQuery(request.query);
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
  return {
    dryRun: query.getAll('dryRun'),
    gracePeriodSeconds: readInt64(query, 'gracePeriodSeconds'),
    orphanDependents: readBoolean(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    uid: query.get('uid') || undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
  };
}

async function fromBody(body: Uint8Array, request: ApiRequest): Promise<RawOptions> {
  const { value, wholeFloats } = await parseBody(body, bodyType(request), apiErrors.badRequest);
  const sent = sentTypeMeta(value);
  if ('fault' in sent) throw apiErrors.badRequest(sent.fault);
  refuseOtherKinds(sent);
  const decoded = decodeOptions(withWholeFloats(value, wholeFloats));
  if ('error' in decoded) throw apiErrors.badRequest(decoded.error);
  request.audit?.requestObject({ ...DELETE_OPTIONS, ...decoded.object });
  const options = decoded.object as SentOptions;
  return {
    dryRun: options.dryRun ?? [],
    gracePeriodSeconds: options.gracePeriodSeconds,
    orphanDependents: options.orphanDependents,
    propagationPolicy: options.propagationPolicy,
    uid: options.preconditions?.uid,
    resourceVersion: options.preconditions?.resourceVersion,
  };
}

const DELETE_OPTIONS = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };

/** DeleteOptions are the same in every version of every group, even in one that does not exist. */
function refuseOtherKinds({ apiVersion, kind }: SentTypeMeta): void {
  if (kind === '' || kind === 'DeleteOptions') return;
  const version = apiVersion || 'meta.k8s.io/v1';
  if (UNVERSIONED.has(kind) || META_KINDS.get(version)?.has(kind))
    throw apiErrors.badRequest(`converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`);
  throw apiErrors.badRequest(
    `no kind ${quoteGo(kind)} is registered for version ${quoteGo(version)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** What upstream registers beside DeleteOptions: for all versions, and for those of meta.k8s.io. */
const UNVERSIONED = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);
const TABLE_KINDS = ['Table', 'TableOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const META_KINDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'meta.k8s.io/v1',
    new Set([
      ...['WatchEvent', 'ListOptions', 'GetOptions', 'CreateOptions', 'UpdateOptions', 'PatchOptions'],
      ...TABLE_KINDS,
    ]),
  ],
  ['meta.k8s.io/v1beta1', new Set(TABLE_KINDS)],
]);

interface SentOptions {
  readonly dryRun?: string[];
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

const Preconditions = struct('v1.Preconditions', 'What must hold of the object.', {
  uid: pointer(1, named('types.UID'), 'The uid that it must have.'),
  resourceVersion: pointer(2, string, 'The resourceVersion that it must have.'),
});

const decodeOptions = typedDecoder(
  struct('v1.DeleteOptions', 'How to delete.', {
    kind: field(0, string, 'DeleteOptions.'),
    apiVersion: field(0, string, 'Any version.'),
    gracePeriodSeconds: pointer(1, int64, 'How long the object may take to stop.'),
    preconditions: pointer(2, Preconditions, 'What must hold of the object.'),
    orphanDependents: pointer(3, bool, 'Whether dependents stay.'),
    propagationPolicy: pointer(4, named('v1.DeletionPropagation'), 'What happens to dependents.'),
    dryRun: field(5, listOf(string), 'All: nothing is deleted.'),
    ignoreStoreReadErrorWithClusterBreakingPotential: pointer(6, bool, 'Has no effect.'),
  }),
);

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
