import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from './index.ts';

const versions = builtinDefinitions.flatMap((definition) =>
  definition.versions.map((version) => [definition, version] as const),
);

/** Kinds whose type has words at all. */
const described = versions.filter(([, { goType }]) => goType!.description !== '');

function* fieldsOf(schema: JSONSchemaProps, path: string): Generator<[string, JSONSchemaProps]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* fieldsOf(field, `${path}.${name}`);
  if (schema.items !== undefined && !Array.isArray(schema.items)) yield* fieldsOf(schema.items, `${path}[]`);
}

describe('built-in definitions', () => {
  it('are the documented ones', () => {
    expect(versions.map(([{ names }, { apiVersion }]) => `${names.plural} ${apiVersion}`)).toEqual([
      'configmaps v1',
      'endpoints v1',
      'events v1',
      'events events.k8s.io/v1',
      'limitranges v1',
      'namespaces v1',
      'nodes v1',
      'persistentvolumeclaims v1',
      'persistentvolumes v1',
      'pods v1',
      'podtemplates v1',
      'replicationcontrollers v1',
      'resourcequotas v1',
      'secrets v1',
      'serviceaccounts v1',
      'services v1',
      'mutatingadmissionpolicies admissionregistration.k8s.io/v1',
      'mutatingadmissionpolicybindings admissionregistration.k8s.io/v1',
      'mutatingwebhookconfigurations admissionregistration.k8s.io/v1',
      'mutatingwebhookconfigurations admissionregistration.k8s.io/v1beta1',
      'validatingadmissionpolicies admissionregistration.k8s.io/v1',
      'validatingadmissionpolicybindings admissionregistration.k8s.io/v1',
      'validatingwebhookconfigurations admissionregistration.k8s.io/v1',
      'validatingwebhookconfigurations admissionregistration.k8s.io/v1beta1',
      'customresourcedefinitions apiextensions.k8s.io/v1',
      'customresourcedefinitions apiextensions.k8s.io/v1beta1',
      'controllerrevisions apps/v1',
      'daemonsets apps/v1',
      'deployments apps/v1',
      'replicasets apps/v1',
      'statefulsets apps/v1',
      'horizontalpodautoscalers autoscaling/v2',
      'horizontalpodautoscalers autoscaling/v1',
      'cronjobs batch/v1',
      'jobs batch/v1',
      'certificatesigningrequests certificates.k8s.io/v1',
      'leases coordination.k8s.io/v1',
      'endpointslices discovery.k8s.io/v1',
      'flowschemas flowcontrol.apiserver.k8s.io/v1',
      'prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1',
      'ingressclasses networking.k8s.io/v1',
      'ingresses networking.k8s.io/v1',
      'ipaddresses networking.k8s.io/v1',
      'networkpolicies networking.k8s.io/v1',
      'servicecidrs networking.k8s.io/v1',
      'runtimeclasses node.k8s.io/v1',
      'poddisruptionbudgets policy/v1',
      'clusterrolebindings rbac.authorization.k8s.io/v1',
      'clusterroles rbac.authorization.k8s.io/v1',
      'rolebindings rbac.authorization.k8s.io/v1',
      'roles rbac.authorization.k8s.io/v1',
      'deviceclasses resource.k8s.io/v1',
      'resourceclaims resource.k8s.io/v1',
      'resourceclaimtemplates resource.k8s.io/v1',
      'resourceslices resource.k8s.io/v1',
      'priorityclasses scheduling.k8s.io/v1',
      'csidrivers storage.k8s.io/v1',
      'csinodes storage.k8s.io/v1',
      'csistoragecapacities storage.k8s.io/v1',
      'storageclasses storage.k8s.io/v1',
      'volumeattachments storage.k8s.io/v1',
      'volumeattributesclasses storage.k8s.io/v1',
      'storageversionmigrations storagemigration.k8s.io/v1beta1',
      'storageversionmigrations storagemigration.k8s.io/v1',
    ]);
  });

  it('are stored under the keys of kube-apiserver', () => {
    const paths = Object.fromEntries(
      builtinDefinitions.map(({ names, storagePath }) => [names.plural, storagePath]),
    );
    expect(paths).toMatchObject({
      services: 'services/specs/',
      endpoints: 'services/endpoints/',
      configmaps: 'configmaps/',
      clusterrolebindings: 'clusterrolebindings/',
      mutatingwebhookconfigurations: 'mutatingwebhookconfigurations/',
    });
  });

  it.each(described)(
    '$names.plural: every field is described and every map list has its keys',
    (_definition, version) => {
      for (const [path, field] of fieldsOf(version.schema.source, version.apiVersion)) {
        if (!path.endsWith('[]') || field.properties !== undefined)
          expect(field.description, path).toMatch(/(\.|https?:\S+)$/);
        if (field['x-kubernetes-list-type'] === 'map')
          expect(field['x-kubernetes-list-map-keys']?.length, path).toBeGreaterThan(0);
      }
    },
  );

  it.each(versions)(
    '$names.plural: an empty body decodes, and decoding again changes nothing',
    (_definition, version) => {
      const once = version.decode!({});
      if ('error' in once) throw new Error(once.error);
      expect(version.decode!(once.object)).toEqual(once);
    },
  );
});
