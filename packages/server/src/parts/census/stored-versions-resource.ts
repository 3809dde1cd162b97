// instar.dev/v1alpha1 StoredVersions: one for each custom resource, with the name of its definition.
// `kubectl get storedversions` shows them. With ?conversions=true, GET of one also tries which objects cannot
// be converted.
import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { column, nameColumn, wideColumn } from '../../kinds/table/columns.ts';
import type { ReportResource } from '../../objects/virtual-resource.ts';
import type { Censuses } from './censuses.ts';
import { type CustomDefinition, type CustomDefinitions, OWN_GROUP } from './custom-definitions.ts';
import { type StoredVersionsStatus, storedVersionsStatus } from './stored-versions-report.ts';
import { tryConversions } from './try-conversions.ts';

export const REPORT_VERSION = 'v1alpha1';

const statusOf = (object: JsonObject): StoredVersionsStatus => {
  const status: JsonValue | undefined = object['status'];
  return (isJsonObject(status) ? status : {}) as unknown as StoredVersionsStatus;
};

const COLUMNS = [
  nameColumn,
  column('Storage', 'The version in which objects are written.', (object) => statusOf(object).storageVersion),
  column('Stored', 'How many objects are stored in which version.', (object) =>
    statusOf(object)
      .versions.filter(({ objects }) => objects > 0)
      .map(({ version, objects }) => `${version}=${objects}`)
      .join(','),
  ),
  column('Claimed', 'What status.storedVersions of the definition says.', (object) =>
    statusOf(object).claimed.join(','),
  ),
  column('Honest', 'Whether that is true.', (object) => statusOf(object).honest, { type: 'boolean' }),
  wideColumn('ManagedFields', 'How many objects have managedFields that name which version.', (object) =>
    statusOf(object)
      .managedFields.map(
        ({ version, objects, defined }) => `${version}=${objects}${defined ? '' : ' (gone)'}`,
      )
      .join(','),
  ),
];

export function storedVersionsResource(definitions: CustomDefinitions, censuses: Censuses): ReportResource {
  const report = async ({ name, crd, resource }: CustomDefinition): Promise<KubeObject | undefined> => {
    const census = await censuses.of(resource);
    if (census === undefined) return undefined;
    const { uid, creationTimestamp, generation } = crd.metadata;
    const metadata = {
      name,
      ...(uid && { uid }),
      ...(creationTimestamp && { creationTimestamp }),
      ...(generation && { generation }),
    };
    const status = storedVersionsStatus(crd, census);
    return {
      apiVersion: `${OWN_GROUP}/${REPORT_VERSION}`,
      kind: 'StoredVersions',
      metadata,
      status: { ...status },
    };
  };
  return {
    group: OWN_GROUP,
    version: REPORT_VERSION,
    resource: 'storedversions',
    singular: 'storedversion',
    kind: 'StoredVersions',
    namespaced: false,
    verbs: ['get', 'list'],
    columns: COLUMNS,
    async get(name, query) {
      const found = await definitions.find(name);
      const object = found && (await report(found));
      if (found === undefined || object === undefined || query.get('conversions') !== 'true') return object;
      return {
        ...object,
        status: { ...(object['status'] as object), conversions: await tryConversions(found.resource, query) },
      };
    },
    async list() {
      const objects = await Promise.all((await definitions.all()).map(report));
      return objects.filter((object) => object !== undefined);
    },
  };
}
