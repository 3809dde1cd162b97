// What every release of kubectl must be able to do: everyday commands on built-in kinds.
import type { Step } from './steps.ts';

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {app: shop}\ndata: ${data}\n`;

const lease = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: one, leaseDurationSeconds: 15, renewTime: "2026-01-02T03:04:05.123456Z"}
`;

const event = `apiVersion: v1
kind: Event
metadata: {name: note.1}
type: Warning
reason: Broken
message: It broke
involvedObject: {apiVersion: v1, kind: ConfigMap, name: settings, namespace: $NS}
firstTimestamp: "2026-01-02T03:04:05Z"
lastTimestamp: "2026-01-02T03:04:05Z"
count: 1
source: {component: e2e}
`;

export const creating: readonly Step[] = [
  { type: 'create namespace $NS', out: /^namespace\/\S+ created\n$/ },
  {
    type: 'create configmap settings --from-literal=color=blue --from-literal=size=3',
    out: 'configmap/settings created\n',
  },
  {
    extra: true,
    type: 'create configmap settings --from-literal=color=blue',
    code: 1,
    err: 'error: failed to create configmap: configmaps "settings" already exists\n',
  },
  { type: 'create secret generic login --from-literal=user=joe', out: 'secret/login created\n' },
  { type: 'create serviceaccount robot', out: 'serviceaccount/robot created\n' },
  {
    type: 'create role reader --verb=get,list --resource=configmaps',
    out: 'role.rbac.authorization.k8s.io/reader created\n',
  },
  {
    type: 'create rolebinding readers --role=reader --serviceaccount=$NS:robot',
    out: 'rolebinding.rbac.authorization.k8s.io/readers created\n',
  },
  { type: 'create service clusterip web --tcp=80:8080', out: 'service/web created\n' },
  { type: 'create -f -', stdin: lease, out: 'lease.coordination.k8s.io/leader created\n' },
  {
    extra: true,
    type: 'create -f -',
    stdin: configMap('Not_A_Name', '{}'),
    code: 1,
    err: 'The ConfigMap "Not_A_Name" is invalid: metadata.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of',
  },
];

export const reading: readonly Step[] = [
  { type: 'get namespace $NS', out: /^NAME +STATUS +AGE\ne2e-\S+ +Active +\d+s\n$/ },
  { type: 'get cm', out: /^NAME +DATA +AGE\nkube-root-ca\.crt +1 +\d+s\nsettings +2 +\d+s\n$/ },
  { extra: true, type: 'get secrets', out: /^NAME +TYPE +DATA +AGE\nlogin +Opaque +1 +\d+s\n$/ },
  { type: 'get leases', out: /^NAME +HOLDER +AGE\nleader +one +\d+s\n$/ },
  {
    type: 'get svc -o wide',
    out: /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE +SELECTOR\nweb +ClusterIP +10\.\S+ +<none> +80\/TCP +\d+s +app=web\n$/,
  },
  {
    extra: true,
    type: 'get sa,role,rolebinding -o name',
    out: 'serviceaccount/robot\nrole.rbac.authorization.k8s.io/reader\nrolebinding.rbac.authorization.k8s.io/readers\n',
  },
  { extra: true, type: 'get all', out: /web +ClusterIP/ },
  {
    type: 'get cm settings -o yaml',
    out: [
      /^apiVersion: v1\ndata:\n {2}color: blue\n {2}size: "3"\nkind: ConfigMap\n/,
      / {2}uid: [0-9a-f-]{36}\n/,
    ],
  },
  { type: 'get cm settings -o json', out: ['"color": "blue"', '"kind": "ConfigMap"'] },
  { type: 'get cm settings -o jsonpath={.data.color}', out: /^blue$/ },
  {
    extra: true,
    type: 'get cm -o custom-columns=N:.metadata.name,C:.data.color',
    out: /^N +C\nkube-root-ca\.crt +<none>\nsettings +blue\n$/,
  },
  {
    extra: true,
    type: 'get lease leader -o jsonpath={.spec.renewTime}',
    out: /^2026-01-02T03:04:05\.123456Z$/,
  },
  { extra: true, type: 'get secret login -o jsonpath={.data.user}', out: /^am9l$/ },
  { type: 'get cm absent', code: 1, err: 'Error from server (NotFound): configmaps "absent" not found\n' },
  { extra: true, type: 'get cm absent --ignore-not-found', out: /^$/ },
  {
    extra: true,
    type: 'get unknowns',
    code: 1,
    err: 'error: the server doesn\'t have a resource type "unknowns"\n',
  },
  { extra: true, type: 'describe cm settings', out: ['color:\n----\nblue\n', 'Events:  <none>\n'] },
  { extra: true, type: 'describe namespace $NS', out: /Status: +Active\n/ },
  {
    type: 'api-resources',
    out: [/\nconfigmaps +cm +v1 +true +ConfigMap\n/, /\nleases +coordination\.k8s\.io\/v1 +true +Lease\n/],
  },
  { type: 'api-versions', out: ['rbac.authorization.k8s.io/v1\n', 'v1\n', 'apiextensions.k8s.io/v1\n'] },
  {
    type: 'explain configmap.data',
    out: [/KIND: +ConfigMap\n/, /DESCRIPTION:\n +\S/, '<map[string]string>'],
  },
  {
    extra: true,
    type: 'explain lease --recursive',
    out: [/holderIdentity\t? *<string>/, 'leaseTransitions', 'managedFields'],
  },
  { type: 'auth can-i create configmaps', out: 'yes\n' },
  { extra: true, type: 'auth can-i --list', out: '*.*' },
  // 1.27 requests only alpha and beta versions of this API, which kube-apiserver 1.36 does not serve either.
  { type: 'auth whoami', since: 28, out: /Username +instar-admin\n/ },
];

export const writing: readonly Step[] = [
  { type: 'apply -f -', stdin: configMap('applied', '{a: "1"}'), out: 'configmap/applied created\n' },
  { type: 'apply -f -', stdin: configMap('applied', '{a: "1"}'), out: 'configmap/applied unchanged\n' },
  { type: 'diff -f -', stdin: configMap('applied', '{a: "2"}'), code: 1, out: ['-  a: "1"', '+  a: "2"'] },
  {
    extra: true,
    type: 'apply -f -',
    stdin: configMap('applied', '{b: "2"}'),
    out: 'configmap/applied configured\n',
  },
  { extra: true, type: 'get cm applied -o jsonpath={.data}', out: /^\{"b":"2"\}$/ },
  { extra: true, type: 'diff -f -', stdin: configMap('applied', '{b: "2"}'), out: /^$/ },
  {
    type: 'apply --server-side -f -',
    stdin: configMap('owned', '{a: "1"}'),
    out: 'configmap/owned serverside-applied\n',
  },
  {
    type: 'apply --server-side --field-manager=other -f -',
    stdin: configMap('owned', '{a: "2"}'),
    code: 1,
    err: ['conflict', '.data.a'],
  },
  {
    type: 'apply --server-side --field-manager=other --force-conflicts -f -',
    stdin: configMap('owned', '{a: "2"}'),
    out: 'serverside-applied',
  },
  { type: 'get cm owned -o jsonpath={.data.a}', out: /^2$/ },
  {
    extra: true,
    type: 'get cm owned -o yaml --show-managed-fields',
    out: ['manager: other\n', 'operation: Apply\n'],
  },
  { type: `patch cm settings -p '{"data":{"x":"1"}}'`, out: 'configmap/settings patched\n' },
  {
    extra: true,
    type: `patch cm settings --type=merge -p '{"data":{"x":null,"y":"1"}}'`,
    out: 'configmap/settings patched\n',
  },
  {
    extra: true,
    type: `patch cm settings --type=json -p '[{"op":"replace","path":"/data/y","value":"2"}]'`,
    out: 'configmap/settings patched\n',
  },
  {
    extra: true,
    type: 'get cm settings -o jsonpath={.data}',
    out: /^\{"color":"blue","size":"3","y":"2"\}$/,
  },
  { type: 'label cm settings tier=web', out: 'configmap/settings labeled\n' },
  { extra: true, type: 'get cm -l tier=web -o name', out: /^configmap\/settings\n$/ },
  { extra: true, type: 'get cm -L tier', out: /settings +3 +\d+s +web\n/ },
  { extra: true, type: 'label cm settings tier-', out: 'configmap/settings unlabeled\n' },
  { type: 'annotate cm settings note=hello', out: /^configmap\/settings annotated?\n$/ },
  { type: 'edit cm settings', env: { EDITOR: 'sed -i s/blue/green/' }, out: 'configmap/settings edited\n' },
  { type: 'get cm settings -o jsonpath={.data.color}', out: /^green$/ },
  {
    type: 'get cm --chunk-size=1 -o name',
    out: 'configmap/applied\nconfigmap/kube-root-ca.crt\nconfigmap/owned\nconfigmap/settings\n',
  },
  {
    type: 'wait --for=jsonpath={.data.color}=green cm/settings --timeout=5s',
    out: 'configmap/settings condition met\n',
  },
  { type: 'create -f -', stdin: event, out: 'event/note.1 created\n' },
  { type: 'events', out: /Warning +Broken +ConfigMap\/settings +It broke\n/ },
  { extra: true, type: 'get events', out: /Warning +Broken +configmap\/settings +It broke\n/ },
];

export const deleting: readonly Step[] = [
  { type: 'delete cm applied', out: 'configmap "applied" deleted' },
  {
    extra: true,
    type: 'delete cm applied',
    code: 1,
    err: 'Error from server (NotFound): configmaps "applied" not found\n',
  },
  { type: 'wait --for=delete cm/applied --timeout=5s', out: /^$/ },
  { type: 'delete secret,sa --all', out: ['secret "login" deleted', 'serviceaccount "robot" deleted'] },
  { type: 'delete namespace $NS --timeout=30s', out: /^namespace "\S+" deleted/ },
  { extra: true, type: 'get namespace $NS', code: 1, err: '(NotFound)' },
];
