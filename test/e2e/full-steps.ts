// What the oldest and the newest kubectl must be able to do besides the core: rarer commands, flags and
// kinds.
import type { Step } from './steps.ts';

const labeled = (name: string, extra = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {set: many}\n${extra}`;
const many = ['one', 'two', 'three', 'four', 'five']
  .map((name) => labeled(name, 'data: {a: "1"}\n'))
  .join('---\n');

const slice = `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.1.2.3]}]
ports: [{name: http, port: 8080, protocol: TCP}]
`;
const webhook = (url: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: $NS-hook}
webhooks:
- name: hook.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "${url}"}
  rules: []
`;
const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reconciled, namespace: $NS}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
`;
const dockerLogin = '--docker-server=registry.example --docker-username=joe --docker-password=pass';

export const kinds: readonly Step[] = [
  { type: 'create ns $NS', out: 'created' },
  { type: `create secret docker-registry pull ${dockerLogin}`, out: 'secret/pull created\n' },
  { type: 'get secret pull -o jsonpath={.type}', out: /^kubernetes\.io\/dockerconfigjson$/ },
  { type: 'create service nodeport port --tcp=80:8080', out: 'service/port created\n' },
  {
    type: 'create service externalname elsewhere --external-name=example.com',
    out: 'service/elsewhere created\n',
  },
  { type: 'create service loadbalancer balanced --tcp=80:8080', out: 'service/balanced created\n' },
  { type: 'create service clusterip headless --clusterip=None --tcp=80', out: 'service/headless created\n' },
  {
    type: 'get svc',
    out: [
      /port +NodePort +10\.\S+ +<none> +80:3\d{4}\/TCP/,
      /elsewhere +ExternalName +<none> +example.com +<none>/,
      /balanced +LoadBalancer +10\.\S+ +<pending> +80:3\d{4}\/TCP/,
      /headless +ClusterIP +None +<none> +80\/TCP/,
    ],
  },
  { type: 'describe svc port', out: [/Type: +NodePort\n/, /TargetPort: +8080\/TCP\n/] },
  {
    type: 'create clusterrole $NS-all --verb=* --resource=configmaps,leases.coordination.k8s.io',
    out: 'clusterrole.rbac.authorization.k8s.io/',
  },
  {
    type: 'create clusterrolebinding $NS-all --clusterrole=$NS-all --user=joe --group=dev',
    out: 'clusterrolebinding.rbac.authorization.k8s.io/',
  },
  { type: 'get clusterrolebinding $NS-all -o wide', out: /ClusterRole\/\S+-all +\d+s +joe +dev +\n/ },
  { type: 'describe clusterrole $NS-all', out: /leases\.coordination\.k8s\.io +\[\] +\[\] +\[\*\]\n/ },
  {
    type: 'delete clusterrole,clusterrolebinding $NS-all',
    out: ['clusterrole.rbac.authorization.k8s.io "', 'clusterrolebinding.rbac.authorization.k8s.io "'],
  },
  { type: 'apply -f -', stdin: slice, out: 'endpointslice.discovery.k8s.io/web-1 created\n' },
  { type: 'get endpointslices', out: /web-1 +IPv4 +8080 +10\.1\.2\.3 +\d+s\n/ },
  {
    type: 'apply -f -',
    stdin: webhook('https://hook.example.com/x'),
    out: 'validatingwebhookconfiguration.admissionregistration.k8s.io/',
  },
  { type: 'get validatingwebhookconfigurations', out: /-hook +1 +\d+s\n/ },
  {
    type: 'apply -f -',
    stdin: webhook('http://plain.example.com'),
    code: 1,
    err: "'https' is the only allowed URL scheme",
  },
  { type: 'delete validatingwebhookconfiguration $NS-hook', out: 'deleted' },
  { type: 'create sa robot', out: 'serviceaccount/robot created\n' },
  { type: 'describe sa robot', out: /Image pull secrets: +<none>\n/ },
];

export const flags: readonly Step[] = [
  { type: 'apply -f -', stdin: many, out: ['configmap/one created', 'configmap/five created'] },
  {
    type: 'get cm -l set=many --chunk-size=2 -o name',
    out: /^configmap\/five\nconfigmap\/four\nconfigmap\/one\nconfigmap\/three\nconfigmap\/two\n$/,
  },
  {
    type: 'get cm -l set=many --chunk-size=2',
    out: /^NAME +DATA +AGE\nfive.*\nfour.*\none.*\nthree.*\ntwo.*\n$/,
  },
  { type: `get cm -l 'set in (many,few),set!=few' -o name`, out: 'configmap/five\n' },
  { type: 'get cm --field-selector metadata.name=two -o name', out: /^configmap\/two\n$/ },
  {
    type: 'get cm --field-selector data.a=1',
    code: 1,
    err: '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  { type: 'get cm --sort-by=.metadata.creationTimestamp', out: 'five' },
  { type: 'get cm one -o go-template={{.data.a}}', out: /^1$/ },
  { type: 'get cm one --show-labels', out: /set=many\n/ },
  { type: 'get cm --no-headers -l set=many', out: /^five +1 / },
  { type: 'get cm -A -l set=many', out: /^NAMESPACE +NAME +DATA +AGE\n/ },
  { type: 'get cm/one secret/pull -o name', out: 'configmap/one\nsecret/pull\n' },
  {
    type: 'get --raw /api/v1/namespaces/$NS/configmaps/one',
    out: ['"kind":"ConfigMap"', '"data":{"a":"1"}'],
  },
  { type: 'get --raw /readyz?verbose', out: ['[+]ping ok\n', 'readyz check passed\n'] },
  { type: 'get --raw /metrics', out: 'apiserver_request_total{' },
  { type: 'version -o json', out: /"gitVersion": "v1\.36\./ },
  { type: 'cluster-info', out: 'is running at' },
  {
    type: 'apply --dry-run=server -f -',
    stdin: labeled('dry'),
    out: 'configmap/dry created (server dry run)\n',
  },
  { type: 'get cm dry', code: 1, err: '(NotFound)' },
  { type: 'delete cm one --dry-run=server', out: 'deleted (server dry run)' },
  { type: 'create -f -', stdin: labeled('odd', 'color: red\n'), code: 1, err: 'unknown field "color"' },
  {
    type: 'create --validate=warn -f -',
    stdin: labeled('odd', 'color: red\n'),
    out: 'configmap/odd created\n',
    err: 'Warning: unknown field "color"\n',
  },
  { type: 'apply view-last-applied cm/one -o json', out: '"set": "many"' },
  { type: 'replace -f -', stdin: labeled('one', 'data: {b: "2"}\n'), out: 'configmap/one replaced\n' },
  { type: 'get cm one -o jsonpath={.data}', out: /^\{"b":"2"\}$/ },
  {
    type: 'replace --force -f -',
    stdin: labeled('one', 'data: {c: "3"}\n'),
    out: 'configmap/one replaced\n',
  },
  { type: 'replace -f -', stdin: labeled('absent'), code: 1, err: '(NotFound)' },
  {
    type: 'apply --prune -l set=many --prune-allowlist=core/v1/ConfigMap -f -',
    stdin: labeled('two', 'data: {a: "1"}\n'),
    out: ['configmap/two unchanged\n', 'configmap/three pruned\n', 'configmap/five pruned\n'],
  },
  {
    type: 'create -f -',
    stdin: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: made-}\n',
    out: /^configmap\/made-[a-z0-9]{5} created\n$/,
  },
  {
    type: 'create -f -',
    stdin: 'apiVersion: v1\nkind: Gadget\nmetadata: {name: g}\n',
    code: 1,
    err: 'no matches for kind "Gadget" in version "v1"',
  },
  { type: 'annotate cm --all seen=yes', out: 'configmap/two annotate' },
  {
    type: 'patch cm two -p not-json',
    code: 1,
    err: 'Error from server (BadRequest): json: cannot unmarshal string into Go value of type map[string]interface {}',
  },
  {
    type: 'edit cm two',
    env: { EDITOR: 'sed -i s/absent/absent/' },
    err: 'Edit cancelled, no changes made.\n',
  },
  {
    type: `patch secret pull -p '{"data":{".dockerconfigjson":null}}'`,
    code: 1,
    err: 'data[.dockerconfigjson]: Required value',
  },
  { type: `patch secret pull --type=merge -p '{"type":"Opaque"}'`, code: 1, err: 'field is immutable' },
  { type: 'label ns $NS team=red', out: 'labeled' },
  { type: 'get ns -l team=red', out: 'Active' },
  { type: 'wait --for=jsonpath={.status.phase}=Active ns/$NS --timeout=5s', out: 'condition met\n' },
  {
    type: 'wait --for=jsonpath={.data.none}=1 cm/two --timeout=1s',
    code: 1,
    err: 'timed out waiting for the condition',
  },
  { type: 'create rolebinding readers --clusterrole=view --group=dev', out: 'readers created\n' },
  { type: 'get cm/two --as=joe --as-group=dev -o name', out: 'configmap/two\n' },
  { type: 'auth whoami --as=joe --as-group=dev', since: 28, out: [/Username +joe\n/, 'dev'] },
  { type: 'auth can-i get configmaps --as=joe --as-group=dev', out: 'yes\n' },
  { type: 'auth can-i get configmaps --as=joe', code: 1, out: 'no\n' },
  { type: 'auth reconcile -f -', stdin: role, out: 'role.rbac.authorization.k8s.io/reconciled' },
  {
    type: 'api-resources --api-group=rbac.authorization.k8s.io --verbs=list --namespaced -o name',
    out: /^rolebindings\.rbac\.authorization\.k8s\.io\nroles\.rbac\.authorization\.k8s\.io\n$/,
  },
  {
    type: 'api-resources -o wide --api-group=coordination.k8s.io',
    out: /create,delete,deletecollection,get,list,patch,update,watch/,
  },
  { type: 'explain service.spec.ports', out: ['targetPort', '<[]'] },
  { type: 'explain secret', out: 'stringData' },
  {
    type: 'explain customresourcedefinition.spec.versions.schema.openAPIV3Schema',
    out: 'x-kubernetes-validations',
  },
  { type: 'explain configmap.nothing', code: 1, err: 'field "nothing" does not exist' },
  { type: 'create cm binary --from-file=data=/bin/true', out: 'configmap/binary created\n' },
  { type: 'delete cm binary --wait=false', out: 'deleted' },
  { type: 'delete cm -l set=many', out: 'configmap "two" deleted' },
  { type: 'delete -f -', stdin: labeled('odd'), code: 1, err: '(NotFound)' },
];
