// What values usually have in common: the words of Kubernetes objects, in their usual order. Values are
// packed against it (records.ts), so it is part of the format on disk: a changed letter makes values
// unreadable. Another text would need another form of record.
import { lastingReference } from './packed.ts';

const LINES = [
  '"conditions":[{"lastTransitionTime":"2026-01-01T00:00:00Z","message":"","observedGeneration":1,"reason":"","status":"True","type":"Ready"}]',
  '"containers":[{"image":"","imagePullPolicy":"IfNotPresent","name":"","resources":{"limits":{"cpu":"","memory":""},"requests":{',
  '"env":[{"name":"","value":""}],"ports":[{"containerPort":8080,"name":"http","protocol":"TCP","targetPort":"http"}],',
  '"replicas":1,"selector":{"matchLabels":{"app":""}},"template":{"metadata":{"labels":{"app":""}},"spec":{"serviceAccountName":"',
  '"rules":[{"apiGroups":[""],"resources":["*"],"verbs":["get","list","watch","create","update","patch","delete"]}],',
  '"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":""},"subjects":[{"kind":"ServiceAccount","name":"',
  '"secretName":"","secretRef":{"name":""},"configMapRef":{"key":""},"enabled":true,"optional":false,"description":"","namespace":"default"',
  '"status":{"observedGeneration":1,"phase":"Active"},"spec":{"type":"","value":"","version":"v1","',
  '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"","namespace":"kube-system","uid":"',
  '","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"holderIdentity":"","leaseDurationSeconds":15,"acquireTime":"","renewTime":"',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"","namespace":"default","uid":"","creationTimestamp":"2026-01-01T00:00:00Z",',
  '"generation":1,"deletionTimestamp":"","finalizers":["finalizers."],"generateName":"",',
  '"ownerReferences":[{"apiVersion":"apps/v1","blockOwnerDeletion":true,"controller":true,"kind":"Deployment","name":"","uid":""}],',
  '"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"\\",\\"metadata\\":{\\"annotations\\":{},',
  '"labels":{"app":"","app.kubernetes.io/component":"","app.kubernetes.io/instance":"","app.kubernetes.io/managed-by":"Helm",',
  '"app.kubernetes.io/name":"","app.kubernetes.io/part-of":"","app.kubernetes.io/version":"","helm.sh/chart":""},',
  '"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z",',
  '"fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{".":{},"k:{\\"type\\":\\"Ready\\"}":{".":{},"f:lastTransitionTime":{},',
  '"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{}}},"subresource":"status"},{"manager":"kubectl","operation":"Apply",',
  '"apiVersion":"apps/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:key":{}},',
  '"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:finalizers":{".":{},"v:\\"',
  '"f:labels":{".":{},"f:app":{},"f:app.kubernetes.io/name":{}},"f:ownerReferences":{".":{},"k:{\\"uid\\":\\"\\"}":{}}},"f:spec":{"f:replicas":{}}}}]},"data":{"',
];

export const COMMON_TEXT = lastingReference(Buffer.from(LINES.join('')));
