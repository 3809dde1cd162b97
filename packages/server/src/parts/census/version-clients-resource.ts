// instar.dev/v1alpha1 VersionClient: one for each client of a version. `kubectl get versionclients` shows
// them, the latest first. ?crd=NAME and ?version=NAME narrow the list.
import { isJsonObject, type JsonObject, type KubeObject } from '@instar/machinery';
import { column, wideColumn } from '../../kinds/table/columns.ts';
import { ageOf } from '../../kinds/table/human-duration.ts';
import type { ReportResource } from '../../objects/virtual-resource.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { type CustomDefinitions, OWN_GROUP } from './custom-definitions.ts';
import { REPORT_VERSION } from './stored-versions-resource.ts';
import { type VersionClient, type VersionClients, versionClientName } from './version-clients.ts';

const at = (object: JsonObject, field: string) =>
  isJsonObject(object['status']) ? (object['status'][field] ?? '') : '';
const ago = (field: string) => (object: JsonObject, now: number) => {
  const time = at(object, field);
  return time === '' ? '' : ageOf(String(time), now);
};

const COLUMNS = [
  column('Crd', 'The definition.', (object) => at(object, 'crd')),
  column('Version', 'The version that is used.', (object) => at(object, 'version')),
  column('User', 'Who uses it.', (object) => at(object, 'user')),
  column('Agent', 'With which program.', (object) => String(at(object, 'userAgent')).split(' ')[0]!),
  column('Reads', 'How often it was read.', (object) => at(object, 'reads'), { type: 'integer' }),
  column('Writes', 'How often it was written.', (object) => at(object, 'writes'), { type: 'integer' }),
  column('Watches', 'Watches that are open now.', (object) => at(object, 'openWatches'), { type: 'integer' }),
  column('Last-Seen', 'How long ago it was last used.', ago('lastSeen')),
  wideColumn('First-Seen', 'How long ago it was first used.', ago('firstSeen')),
  wideColumn('User-Agent', 'The whole of it.', (object) => at(object, 'userAgent')),
];

interface VersionClientsSource {
  readonly clients: VersionClients;
  readonly definitions: Pick<CustomDefinitions, 'missing'>;
  readonly now: () => number;
}

export function versionClientsResource({ clients, definitions, now }: VersionClientsSource): ReportResource {
  /** Without the clients, read from the file, of definitions that were deleted while this server was down. */
  const present = async (): Promise<Iterable<VersionClient>> => {
    const missing = await definitions.missing(new Set([...clients.all()].map(({ crd }) => crd)));
    if (missing.size > 0) clients.forget((crd) => missing.has(crd));
    return clients.all();
  };
  const objectOf = (row: VersionClient): KubeObject => {
    const openWatches = clients.openWatches(row);
    const { firstSeen, lastRead, lastWrite, ...rest } = row;
    return {
      apiVersion: `${OWN_GROUP}/${REPORT_VERSION}`,
      kind: 'VersionClient',
      metadata: { name: versionClientName(row), creationTimestamp: timestamp(firstSeen) },
      status: {
        ...rest,
        openWatches,
        firstSeen: timestamp(firstSeen),
        lastSeen: timestamp(openWatches > 0 ? now() : row.lastSeen),
        ...(lastRead !== undefined && { lastRead: timestamp(lastRead) }),
        ...(lastWrite !== undefined && { lastWrite: timestamp(lastWrite) }),
      },
    };
  };
  return {
    group: OWN_GROUP,
    version: REPORT_VERSION,
    resource: 'versionclients',
    singular: 'versionclient',
    kind: 'VersionClient',
    namespaced: false,
    verbs: ['get', 'list'],
    columns: COLUMNS,
    async get(name) {
      for (const row of await present()) if (versionClientName(row) === name) return objectOf(row);
      return undefined;
    },
    async list(query) {
      const isSelected = (row: VersionClient): boolean =>
        (query.get('crd') ?? row.crd) === row.crd && (query.get('version') ?? row.version) === row.version;
      return [...(await present())]
        .filter(isSelected)
        .sort((a, b) => b.lastSeen - a.lastSeen)
        .map(objectOf);
    },
  };
}
