// Commands of kubectl that need nothing but the API, in order: later ones build on what earlier ones made.
// Each is a line; `<` names the manifest that it reads. Their exit codes and their words are compared with
// what kube-apiserver brought about (recorded.json).
export const manifests = {
  crd: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.outside.example.com, labels: {set: outside}}
spec:
  group: outside.example.com
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList, shortNames: [gd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: {type: integer, maximum: 9}, replicas: {type: integer}}
          status: {type: object, properties: {replicas: {type: integer}, ready: {type: boolean}}}
`,
  gadget: `
apiVersion: outside.example.com/v1
kind: Gadget
metadata: {name: g1, labels: {app: a}}
spec: {size: 1, replicas: 1}
`,
  gadgetTooLarge: `
apiVersion: outside.example.com/v1
kind: Gadget
metadata: {name: g2}
spec: {size: 10}
`,
  gadgetUnknown: `
apiVersion: outside.example.com/v1
kind: Gadget
metadata: {name: g3}
spec: {size: 1, colour: red}
`,
  config: `
apiVersion: v1
kind: ConfigMap
metadata: {name: applied, labels: {set: pruned}}
data: {a: "1"}
---
apiVersion: v1
kind: Secret
metadata: {name: applied, labels: {set: pruned}}
stringData: {a: "1"}
`,
  configOnly: `
apiVersion: v1
kind: ConfigMap
metadata: {name: applied, labels: {set: pruned}}
data: {a: "2"}
`,
  ssa: `
apiVersion: v1
kind: ConfigMap
metadata: {name: served}
data: {a: "1"}
`,
  ssaOther: `
apiVersion: v1
kind: ConfigMap
metadata: {name: served}
data: {a: "2"}
`,
  node: `
apiVersion: v1
kind: Node
metadata: {name: n1}
`,
  pod: `
apiVersion: v1
kind: Pod
metadata: {name: p1, labels: {app: p}}
spec:
  nodeName: n1
  containers: [{name: c, image: example.com/c:1}]
`,
  csr: `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: c1}
spec:
  signerName: example.com/own
  usages: [client auth]
  request: REQUEST
`,
  set: `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: example.com/db:1}]}
`,
  daemons: `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: c, image: example.com/agent:1}]}
`,
};

export const steps = `
api-versions
api-resources --api-group=apps -o name
api-resources --api-group=batch -o name
get --raw /healthz
get --raw /no/such/path
cluster-info
create namespace outside
config set-context --current --namespace=outside
config view -o jsonpath={.contexts[0].context.namespace}
get namespace outside -o jsonpath={.status.phase}
create namespace outside
create configmap c --from-literal=a=1
create configmap c --from-literal=a=1
create configmap Odd_Name --from-literal=a=1
create secret generic s --from-literal=a=1
create secret docker-registry d --docker-server=example.com --docker-username=u --docker-password=p
create secret tls t --cert=/no/such/file --key=/no/such/file
create serviceaccount sa
create role r --verb=get,list --resource=pods
create role odd --verb=get --resource=nosuchthings
create rolebinding rb --role=r --serviceaccount=outside:sa
create clusterrole outside-cr --verb=get --resource=nodes
create clusterrolebinding outside-crb --clusterrole=outside-cr --user=bob
create deployment web --image=example.com/web:1 --replicas=2 --port=80
create deployment web --image=example.com/web:1
create deployment Odd_Name --image=example.com/web:1
create job j --image=example.com/j:1
create cronjob cj --image=example.com/j:1 --schedule=*/5_*_*_*_*
create cronjob odd --image=example.com/j:1 --schedule=never
create job from-cj --from=cronjob/cj
create ingress i --rule=example.com/=web:80
create poddisruptionbudget pdb --selector=app=web --min-available=1
create priorityclass outside-pc --value=10 --description=d
create quota q --hard=pods=10,services=10
create quota odd --hard=pods=10 --scopes=NoSuchScope
create service clusterip svc --tcp=80:8080
create service nodeport np --tcp=80:8080
create service nodeport np2 --tcp=80:8080 --node-port=25000
create service loadbalancer lb --tcp=80:8080
create service externalname en --external-name=example.com
expose deployment web --name=exposed --port=80
expose deployment nosuch --port=80
get service exposed -o jsonpath={.spec.selector}
set image deployment/web web=example.com/web:2
set image deployment/web nosuch=example.com/web:2
set env deployment/web A=1
set env deployment/web --list
set resources deployment/web --limits=cpu=100m
set serviceaccount deployment web sa
set selector service svc app=web
set subject rolebinding rb --user=carol
get deployment web -o jsonpath={.spec.template.spec.containers[0].image},{.spec.template.spec.serviceAccountName}
rollout restart deployment/web
rollout pause deployment/web
rollout pause deployment/web
rollout resume deployment/web
rollout history deployment/web
rollout undo deployment/web
scale deployment/web --replicas=3
scale deployment/web --replicas=4 --current-replicas=9
get deployment web -o jsonpath={.spec.replicas}
autoscale deployment web --min=1 --max=5 --cpu-percent=80
autoscale deployment web --min=5 --max=1
get horizontalpodautoscaler web -o jsonpath={.spec.maxReplicas}
create -f - < set
create -f - < daemons
rollout restart statefulset/db
rollout restart daemonset/agent
scale statefulset/db --replicas=2
label deployment web tier=front
label deployment web tier=back
label deployment web tier=back --overwrite
label deployment web tier-
label deployment web odd=not/a/label
annotate deployment web note=x
annotate deployment web note-
get deployment -l app=web -o name
get deployment -l app=other -o name
get all -o name
patch deployment web -p {"spec":{"replicas":1}}
patch deployment web --type=merge -p {"spec":{"replicas":-1}}
patch deployment web --type=json -p [{"op":"replace","path":"/spec/replicas","value":2}]
patch deployment web --type=json -p [{"op":"test","path":"/spec/replicas","value":9}]
patch deployment web -p {"spec":{"selector":{"matchLabels":{"app":"z"}}}}
patch deployment web --subresource=scale --type=merge -p {"spec":{"replicas":6}}
explain deployment.spec.replicas
explain nosuch
apply -f - < crd
wait --for=condition=Established crd/gadgets.outside.example.com --timeout=30s
apply -f - < gadget
apply -f - < gadget
apply -f - < gadgetTooLarge
apply -f - < gadgetUnknown
apply -f - --validate=ignore < gadgetUnknown
get gd g1
get gadgets -o name
get gadgets --field-selector=metadata.name=g1 -o name
get gadgets --field-selector=spec.size=1 -o name
explain gadget.spec
scale gadget g1 --replicas=4
get gadget g1 -o jsonpath={.spec.replicas}
patch gadget g1 --subresource=status --type=merge -p {"status":{"ready":true}}
patch gadget g1 -p {"spec":{"size":2}}
patch gadget g1 --type=merge -p {"spec":{"size":"big"}}
wait --for=jsonpath={.status.ready}=true gadget/g1 --timeout=10s
autoscale gadget g1 --min=1 --max=3
delete crd gadgets.outside.example.com
apply -f - < config
apply -f - --prune -l set=pruned < configOnly
get configmap,secret -l set=pruned -o name
apply view-last-applied configmap/applied -o json
diff -f - < config
diff -f - < configOnly
replace -f - < configOnly
replace -f - < gadget
apply --server-side -f - < ssa
apply --server-side --field-manager=other -f - < ssaOther
apply --server-side --field-manager=other --force-conflicts -f - < ssaOther
apply --server-side --dry-run=server -f - < ssa
get configmap served -o jsonpath={.data.a}
create -f - < node
taint node n1 a=b:NoSchedule
taint node n1 a=b:NoSchedule
taint node n1 a-
taint node n1 a=b:Odd
label node n1 zone=z
cordon n1
uncordon n1
create -f - < pod
create -f - < pod
run p2 --image=example.com/c:1
run Odd_Name --image=example.com/c:1
get pods -o name
get pods --field-selector=spec.nodeName=n1 -o name
label pods --all seen=yes
annotate pod p1 note=x
drain n1 --force --grace-period=0 --timeout=60s
get node n1 -o jsonpath={.spec.unschedulable}
delete pod p1 --grace-period=0 --force --ignore-not-found
delete pod p2 --now
delete node n1
create -f - < csr
certificate approve c1
get csr c1 -o jsonpath={.status.conditions[0].type}
certificate deny c1
delete csr c1
create token sa --duration=10m
create token nosuch
auth can-i get pods
auth can-i get pods --as=bob
auth can-i get nodes --as=bob
auth can-i list pods --as=system:serviceaccount:outside:sa
auth can-i delete pods --as=system:serviceaccount:outside:sa
auth can-i --list --as=bob
auth whoami -o jsonpath={.status.userInfo.groups}
auth reconcile -f - < csr
get configmap c --as=bob
delete configmap c
delete configmap c
delete configmap c --ignore-not-found
delete deployment,statefulset,daemonset --all
delete service svc np lb en exposed
delete job j from-cj
delete clusterrole outside-cr
delete clusterrolebinding outside-crb
delete priorityclass outside-pc
get nosuchthings
get configmap nosuch
delete namespace outside
get namespace outside
`
  .trim()
  .split('\n');
