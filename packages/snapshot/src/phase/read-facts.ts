// Collects the facts about a cluster with reads only (and one dry-run write).
import type { KubeApi } from '@instar/client';
import { parseMicroTime } from '@instar/go';
import { ApiError, asJson, fieldErrorMessage, type KubeObject } from '@instar/machinery';
import { type RecordLocation, readRecord } from '../labeller/record.ts';
import {
  crdName,
  SNAPSHOT_GROUP,
  SNAPSHOT_RESOURCES,
  SNAPSHOTS,
  type SnapshotResource,
} from '../resources.ts';
import { servedVersion } from '../served-version.ts';
import type { ClusterFacts, DefinitionFacts, LabellerFacts, ObjectFacts } from './cluster-facts.ts';
import { type WebhookConfiguration, webhookFactsOf } from './webhook-facts.ts';

export interface ReadFactsOptions {
  /** Where the labeller keeps its Lease and its record. */
  readonly labeller: RecordLocation;
  /** For the snapshot that is created in a dry run. */
  readonly probeNamespace: string;
  readonly now?: number;
}

const MAX_EXAMPLES = 10;

type Reader = Pick<KubeApi, 'get' | 'pages' | 'create' | 'discover'>;

/** Reads what the report about the phase is based on. */
export async function readClusterFacts(api: Reader, options: ReadFactsOptions): Promise<ClusterFacts> {
  const definitions = await Promise.all(SNAPSHOT_RESOURCES.map((resource) => readDefinition(api, resource)));
  const [webhooks, objects, labeller, probe] = await Promise.all([
    readWebhooks(api),
    Promise.all(SNAPSHOT_RESOURCES.map((resource) => readObjects(api, resource))),
    readLabeller(api, options.labeller),
    probeWebhook(api, options.probeNamespace),
  ]);
  return {
    now: options.now ?? Date.now(),
    definitions,
    webhooks,
    objects,
    probe,
    ...(labeller !== undefined && { labeller }),
  };
}

type Crd = KubeObject & {
  spec: { versions: { name: string; served: boolean; storage: boolean }[] };
  status?: { storedVersions?: string[] };
};

async function readDefinition(api: Reader, resource: SnapshotResource): Promise<DefinitionFacts> {
  const ref = {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
    name: crdName(resource),
  };
  const crd = await api.get<Crd>(ref).catch(absentAsUndefined);
  const versions = crd?.spec.versions ?? [];
  return {
    kind: resource.kind,
    served: versions.filter(({ served }) => served).map(({ name }) => name),
    storage: versions.find(({ storage }) => storage)?.name ?? '',
    storedVersions: crd?.status?.storedVersions ?? [],
  };
}

async function readWebhooks(api: Reader): Promise<ClusterFacts['webhooks']> {
  const ref = {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resource: 'validatingwebhookconfigurations',
  };
  const facts = [];
  for await (const page of api.pages<WebhookConfiguration>(ref))
    facts.push(...page.items.flatMap(webhookFactsOf));
  return facts;
}

async function readObjects(api: Reader, resource: SnapshotResource): Promise<ObjectFacts> {
  const version = await servedVersion(api, resource);
  const count = { total: 0, invalid: 0, labeled: 0 };
  const examples: string[] = [];
  if (version === undefined) return { kind: resource.kind, ...count, examples };
  for await (const { items } of api.pages({ group: SNAPSHOT_GROUP, version, resource: resource.resource })) {
    for (const object of items) {
      const errors = resource.validate(asJson(object));
      count.total++;
      if (errors.length > 0) count.invalid++;
      if (Object.hasOwn(object.metadata.labels ?? {}, resource.invalidLabel)) count.labeled++;
      if (errors.length > 0 && examples.length < MAX_EXAMPLES)
        examples.push(`${printName(object)}: ${fieldErrorMessage(errors[0]!)}`);
    }
  }
  return { kind: resource.kind, ...count, examples };
}

const printName = ({ metadata: { namespace, name } }: KubeObject): string =>
  namespace === undefined ? name! : `${namespace}/${name}`;

type Lease = KubeObject & {
  spec?: { holderIdentity?: string; renewTime?: string; leaseDurationSeconds?: number };
};

async function readLabeller(api: Reader, place: RecordLocation): Promise<LabellerFacts | undefined> {
  const lease = await api
    .get<Lease>({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases', ...place })
    .catch(absentAsUndefined);
  const record = await readRecord(api, place);
  if (lease === undefined && record === undefined) return undefined;
  const renewed = parseMicroTime(lease?.spec?.renewTime ?? '');
  return {
    leader: lease?.spec?.holderIdentity ?? '',
    leaseSeconds: lease?.spec?.leaseDurationSeconds ?? 0,
    ...(!('fault' in renewed) && { renewedAt: renewed.milliseconds }),
    ...(record !== undefined && { record }),
  };
}

/** Creates an invalid snapshot: if it is accepted, no webhook works. */
async function probeWebhook(api: Reader, namespace: string): Promise<ClusterFacts['probe']> {
  const version = await servedVersion(api, SNAPSHOTS);
  if (version === undefined) return { outcome: 'unknown', message: 'VolumeSnapshots are not served' };
  const ref = { group: SNAPSHOT_GROUP, version, resource: SNAPSHOTS.resource, namespace };
  const metadata = { generateName: 'instar-probe-', namespace };
  const object = {
    apiVersion: `${SNAPSHOT_GROUP}/${version}`,
    kind: SNAPSHOTS.kind,
    metadata,
    spec: { source: {} },
  };
  try {
    await api.create(ref, object, { dryRun: true });
    return { outcome: 'accepted', message: '' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const byWebhook = error.message.startsWith('admission webhook ');
    return { outcome: byWebhook && error.code === 400 ? 'refused' : 'unknown', message: error.message };
  }
}

function absentAsUndefined(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}
