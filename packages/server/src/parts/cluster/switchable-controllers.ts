// The controllers that --controllers switches, by kube-controller-manager's names.
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { PolicyStatusController } from '../admission/policy-status-controller.ts';
import type { Censuses } from '../census/censuses.ts';
import { CleaningController } from '../certificates/cleaning-controller.ts';
import { SigningController } from '../certificates/signing-controller.ts';
import type { Controller } from '../controllers/elected-controllers.ts';
import { GarbageCollector } from '../controllers/garbage-collector.ts';
import { NamespaceController } from '../controllers/namespace-controller.ts';
import { MigrationController } from '../migration/migration-controller.ts';
import { AggregationController } from '../rbac/aggregation-controller.ts';
import { CONTROLLERS, type ControllerName, isControllerEnabled } from './controller-names.ts';
import { disruptionController } from './disruption-controller.ts';
import { endpointSliceController } from './endpoints/endpoint-slice-controller.ts';
import { endpointSliceMirroringController } from './endpoints/endpoint-slice-mirroring-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { QuotaController } from './quota-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { serviceAccountController } from './service-account-controller.ts';

export interface ControllerContext {
  readonly registry: ResourceRegistry;
  readonly log: Log;
  readonly censuses: Censuses;
  readonly signing: ConstructorParameters<typeof SigningController>[1];
  /** What clients of this server trust. */
  readonly caCertificate: string;
}

const MAKERS: Readonly<Record<ControllerName, (context: ControllerContext) => Controller>> = {
  'namespace-controller': ({ registry, log }) =>
    new NamespaceController(registry, registry.get('', 'namespaces')!, log),
  'garbage-collector-controller': ({ registry, log }) => new GarbageCollector(registry, log),
  'serviceaccount-controller': ({ registry, log }) => serviceAccountController(registry, log),
  'root-ca-certificate-publisher-controller': ({ registry, log, caCertificate }) =>
    rootCaPublisher(registry, log, caCertificate),
  'endpoints-controller': ({ registry, log }) => endpointsController(registry, log),
  'endpointslice-controller': ({ registry, log }) => endpointSliceController(registry, log),
  'endpointslice-mirroring-controller': ({ registry, log }) =>
    endpointSliceMirroringController(registry, log),
  'resourcequota-controller': ({ registry, log }) => new QuotaController(registry, log),
  'disruption-controller': ({ registry, log }) => disruptionController(registry, log),
  'certificatesigningrequest-signing-controller': ({ registry, signing, log }) =>
    new SigningController(registry, signing, log),
  'certificatesigningrequest-cleaner-controller': ({ registry, log }) =>
    new CleaningController(registry, log),
  'clusterrole-aggregation-controller': ({ registry, log }) => new AggregationController(registry, log),
  'storage-version-migrator-controller': ({ registry, censuses, log }) =>
    new MigrationController({
      registry,
      crds: registry.get('apiextensions.k8s.io', 'customresourcedefinitions')!,
      censuses,
      log,
    }),
  'validatingadmissionpolicy-status-controller': ({ registry, log }) =>
    new PolicyStatusController(registry, log),
};

/** Those that a list as --controllers has it switches on. */
export function switchableControllers(context: ControllerContext, list: readonly string[]): Controller[] {
  return CONTROLLERS.filter((name) => isControllerEnabled(name, list)).map((name) => MAKERS[name](context));
}
