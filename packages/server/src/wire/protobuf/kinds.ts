// Which kinds have a protobuf form, and the message that each of them is.
import { MESSAGES } from './messages.ts';

const LIST = 'List';

/** Kinds that are stored, by apiVersion: there are lists of them. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  v1: ['Namespace', 'ConfigMap', 'Secret', 'ServiceAccount', 'Service', 'Endpoints', 'Event'],
  'events.k8s.io/v1': ['Event'],
  'coordination.k8s.io/v1': ['Lease'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'rbac.authorization.k8s.io/v1': ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
  'admissionregistration.k8s.io/v1': [
    'ValidatingWebhookConfiguration',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ],
  'admissionregistration.k8s.io/v1beta1': ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
  'storagemigration.k8s.io/v1': ['StorageVersionMigration'],
  'storagemigration.k8s.io/v1beta1': ['StorageVersionMigration'],
  'meta.k8s.io/v1': ['PartialObjectMetadata'],
  'meta.k8s.io/v1beta1': ['PartialObjectMetadata'],
};

/** Kinds that are only answered. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  v1: ['Status', 'APIGroupList', 'APIGroup', 'APIResourceList'],
  '': ['APIVersions'],
  'authentication.k8s.io/v1': ['TokenReview', 'SelfSubjectReview'],
  'authorization.k8s.io/v1': [
    'SelfSubjectAccessReview',
    'SubjectAccessReview',
    'LocalSubjectAccessReview',
    'SelfSubjectRulesReview',
  ],
  'autoscaling/v1': ['Scale'],
};

/** Kinds whose message has another name here, because one of another group or version has that name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['events.k8s.io/v1 Event', 'EventsEvent'],
  ['apiextensions.k8s.io/v1beta1 CustomResourceDefinition', 'BetaDefinition'],
]);

/** The message of each kind, by apiVersion and kind. */
export const KINDS: ReadonlyMap<string, string> = new Map([
  ...eachOf(STORED),
  ...eachOf(COMPUTED),
  ...eachOf(STORED).map(listOf),
]);

function eachOf(kinds: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(kinds).flatMap(([apiVersion, names]) =>
    names.map((kind): [string, string] => [
      `${apiVersion} ${kind}`,
      RENAMED.get(`${apiVersion} ${kind}`) ?? kind,
    ]),
  );
}

function listOf([key, message]: [string, string]): [string, string] {
  return [key + LIST, message + LIST];
}

/**
 * The fields of a message as the table writes them; lists of objects are all alike. Undefined if there is no
 * such message.
 */
export function fieldsOf(message: string): string | undefined {
  if (Object.hasOwn(MESSAGES, message)) return MESSAGES[message];
  if (!message.endsWith(LIST)) return undefined;
  return `1 metadata ListMeta, 2 items []${message.slice(0, -LIST.length)}`;
}
