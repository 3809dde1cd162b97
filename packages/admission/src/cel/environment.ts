// What admission expressions can refer to: the object and the old object, the request, the namespace, the
// parameters, the authorizer, variables. The types are those that upstream declares; the values are read as
// JSON, so a time stays text.
import {
  boolType,
  type CelType,
  dynType,
  type Environment,
  type FieldDeclaration,
  intType,
  listType,
  mapType,
  objectTypeOf,
  stringType,
  timestampType,
} from '@instar/cel';
import {
  authorizerType,
  kubernetesEnvironment,
  patchEnvironment,
  resourceCheckType,
} from '@instar/cel/kubernetes';

const GROUP_VERSION_KIND = objectTypeOf('kubernetes.GroupVersionKind', {
  group: stringType,
  version: stringType,
  kind: stringType,
});
const GROUP_VERSION_RESOURCE = objectTypeOf('kubernetes.GroupVersionResource', {
  group: stringType,
  version: stringType,
  resource: stringType,
});
const USER_INFO = objectTypeOf('kubernetes.UserInfo', {
  username: stringType,
  uid: stringType,
  groups: listType(stringType),
  extra: mapType(stringType, listType(stringType)),
});

const REQUEST = objectTypeOf('kubernetes.AdmissionRequest', {
  kind: GROUP_VERSION_KIND,
  resource: GROUP_VERSION_RESOURCE,
  subResource: stringType,
  requestKind: GROUP_VERSION_KIND,
  requestResource: GROUP_VERSION_RESOURCE,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: USER_INFO,
  dryRun: boolType,
  options: dynType,
});

const NAMESPACE_CONDITION = objectTypeOf('kubernetes.NamespaceCondition', {
  status: stringType,
  type: stringType,
  lastTransitionTime: timestampType,
  message: stringType,
  reason: stringType,
});
/** Upper case in expressions, as upstream spells it there. */
const uid: FieldDeclaration = { type: stringType, key: 'uid' };
const NAMESPACE = objectTypeOf('kubernetes.Namespace', {
  metadata: objectTypeOf('kubernetes.NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: mapType(stringType, stringType),
    annotations: mapType(stringType, stringType),
    UID: uid,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: listType(stringType),
  }),
  spec: objectTypeOf('kubernetes.NamespaceSpec', { finalizers: listType(stringType) }),
  status: objectTypeOf('kubernetes.NamespaceStatus', {
    conditions: listType(NAMESPACE_CONDITION),
    phase: stringType,
  }),
});

export interface Declared {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether patches may be constructed. */
  readonly patches?: boolean;
  /** The type of `variables`, if there are any. */
  readonly variables?: CelType;
  /** More precise types than dyn, for type checking. */
  readonly object?: CelType;
  readonly paramsType?: CelType;
}

const plain = new Map<string, Environment>();

export function admissionEnvironment(declared: Declared): Environment {
  if (declared.variables !== undefined || declared.object !== undefined || declared.paramsType !== undefined)
    return extended(declared);
  const key = `${declared.params} ${declared.authorizer} ${declared.patches === true}`;
  let environment = plain.get(key);
  if (environment === undefined) plain.set(key, (environment = extended(declared)));
  return environment;
}

function extended({
  params,
  authorizer,
  variables,
  patches = false,
  object = dynType,
  paramsType = dynType,
}: Declared): Environment {
  const base = kubernetesEnvironment();
  return (patches ? patchEnvironment(base) : base).extend({
    variables: {
      object,
      oldObject: object,
      namespaceObject: NAMESPACE,
      request: REQUEST,
      ...(params && { params: paramsType }),
      ...(authorizer && { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }),
      ...(variables !== undefined && { variables }),
    },
  });
}
