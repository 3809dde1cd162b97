// A custom CRD from its creation to its deletion, at the command line.
import type { Step } from './steps.ts';

const group = 'e2e-$NS.example.com';
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd], categories: [all, toys]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
    selectableFields: [{jsonPath: .spec.color}]
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    - {name: Note, type: string, jsonPath: .spec.note, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        description: Widget is a toy for tests.
        properties:
          spec:
            type: object
            required: [color]
            properties:
              color: {type: string, enum: [red, green, blue], description: Color is what it is painted with.}
              replicas: {type: integer, minimum: 0, maximum: 10, default: 1}
              note: {type: string, maxLength: 20}
              serial: {type: integer, format: int64}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
            x-kubernetes-validations:
            - {rule: "self.color != 'red' || self.replicas <= 3", message: no more than three red ones}
            - {rule: "self.color == oldSelf.color", message: color cannot be changed}
          status:
            type: object
            properties:
              replicas: {type: integer}
              selector: {type: string}
              conditions:
                type: array
                items: {type: object, properties: {type: {type: string}, status: {type: string}}}
  - name: v1alpha1
    served: true
    storage: false
    deprecated: true
    deprecationWarning: widgets v1alpha1 is old
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

const widget = (name: string, spec: string, version = 'v1'): string =>
  `apiVersion: ${group}/${version}\nkind: Widget\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

export const custom: readonly Step[] = [
  { type: 'create ns $NS', out: 'created' },
  {
    type: 'apply -f -',
    stdin: crd,
    out: /^customresourcedefinition\.apiextensions\.k8s\.io\/widgets\.\S+ created\n$/,
  },
  { type: `wait --for=condition=Established crd/widgets.${group} --timeout=10s`, out: 'condition met\n' },
  { type: 'apply -f -', stdin: crd, out: 'unchanged\n' },
  { type: `get crd widgets.${group}`, out: /^NAME +CREATED AT\nwidgets\.\S+ +\d{4}-\S+Z\n$/ },
  { type: `describe crd widgets.${group}`, out: [/Kind: +Widget\n/, /Type: +Established\n/] },
  { type: `api-resources --api-group=${group}`, out: /widgets +wd +\S+\/v1 +true +Widget\n/ },
  {
    type: 'apply -f -',
    stdin: widget('one', '{color: blue, note: first}'),
    out: /^widget\.\S+\/one created\n$/,
  },
  { type: 'apply -f -', stdin: widget('one', '{color: blue, note: first}'), out: 'unchanged\n' },
  { type: 'get wd', out: /^NAME +COLOR +REPLICAS\none +blue +1\n$/ },
  { type: 'get widgets -o wide', out: /^NAME +COLOR +REPLICAS +NOTE\none +blue +1 +first\n$/ },
  { type: 'get toys -o name', out: /^widget\.\S+\/one\n$/ },
  { type: 'get all', out: /blue/ },
  {
    type: `get widgets.v1alpha1.${group} one -o jsonpath={.apiVersion}`,
    out: /\/v1alpha1$/,
    err: 'Warning: widgets v1alpha1 is old\n',
  },
  { type: 'get widgets --field-selector spec.color=red', err: 'No resources found' },
  { type: 'get widgets --field-selector spec.color=blue -o name', out: '/one\n' },
  {
    type: 'apply -f -',
    stdin: widget('bad', '{color: pink}'),
    code: 1,
    err: 'spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"',
  },
  {
    type: 'apply -f -',
    stdin: widget('bad', '{color: red, replicas: 4}'),
    code: 1,
    err: 'spec: Invalid value: no more than three red ones',
  },
  {
    type: 'apply -f -',
    stdin: widget('bad', '{color: red, replicas: 11}'),
    code: 1,
    err: 'spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10',
  },
  {
    type: 'apply -f -',
    stdin: widget('bad', '{color: red, size: 1}'),
    code: 1,
    err: 'unknown field "spec.size"',
  },
  {
    type: 'apply --validate=warn -f -',
    stdin: widget('odd', '{color: red, size: 1}'),
    out: 'created\n',
    err: 'Warning: unknown field "spec.size"\n',
  },
  { type: 'get wd odd -o jsonpath={.spec}', out: /^\{"color":"red","replicas":1\}$/ },
  {
    type: `patch wd one --type=merge -p '{"spec":{"color":"green"}}'`,
    code: 1,
    err: 'color cannot be changed',
  },
  {
    type: `patch wd one -p '{"spec":{"note":"x"}}'`,
    code: 1,
    err: 'application/strategic-merge-patch+json is not supported',
  },
  { type: 'scale wd one --replicas=3', out: 'scaled\n' },
  {
    type: 'scale wd one --replicas=4 --current-replicas=7',
    code: 1,
    err: 'Expected replicas to be 7, was 3',
  },
  { type: 'scale wd odd --replicas=4', code: 1, err: 'no more than three red ones' },
  { type: 'get wd one --subresource=scale -o jsonpath={.spec.replicas}', out: /^3$/ },
  { type: 'get wd one -o jsonpath={.metadata.generation}', out: /^2$/ },
  {
    type: `patch wd one --subresource=status --type=merge -p '{"status":{"replicas":3,"conditions":[{"type":"Ready","status":"True"}]}}'`,
    out: 'patched\n',
  },
  { type: 'wait --for=condition=Ready wd/one --timeout=5s', out: 'condition met\n' },
  { type: 'get wd one -o jsonpath={.metadata.generation}', out: /^2$/ },
  { type: `patch wd one --type=merge -p '{"status":{"replicas":9}}'`, out: 'patched' },
  { type: 'get wd one -o jsonpath={.status.replicas}', out: /^3$/ },
  {
    type: 'apply --server-side -f -',
    stdin: widget('two', '{color: green, parts: [{name: a, size: 1}]}'),
    out: 'serverside-applied\n',
  },
  {
    type: 'apply --server-side --field-manager=b -f -',
    stdin: widget('two', '{color: green, parts: [{name: b, size: 2}]}'),
    out: 'serverside-applied\n',
  },
  { type: 'get wd two -o jsonpath={.spec.parts[*].name}', out: /^a b$/ },
  {
    type: 'apply --server-side --field-manager=b -f -',
    stdin: widget('two', '{color: green, parts: [{name: a, size: 2}]}'),
    code: 1,
    err: '.spec.parts[name="a"].size',
  },
  // Larger than a double can hold exactly. (A client-side apply that changes it would be rounded by kubectl
  // itself.)
  {
    type: 'apply --server-side -f -',
    stdin: widget('big', '{color: blue, serial: 9007199254740993}'),
    out: 'serverside-applied\n',
  },
  { type: 'get wd big -o jsonpath={.spec.serial}', out: /^9007199254740993$/ },
  {
    type: 'replace -f -',
    stdin: widget('big', '{color: blue, serial: -9223372036854775808}'),
    out: 'replaced\n',
  },
  { type: 'get wd big -o yaml', out: 'serial: -9223372036854775808\n' },
  { type: 'diff -f -', stdin: widget('two', '{color: green, replicas: 2}'), code: 1, out: '+  replicas: 2' },
  { type: 'edit wd two', env: { EDITOR: 'sed -i s/replicas:.1/replicas:\\ 5/' }, out: 'edited\n' },
  { type: 'label wd --all kept=yes', out: ['one labeled', 'two labeled'] },
  { type: 'annotate wd one a=b', out: 'annotate' },
  { type: 'describe wd one', out: [/Color: +blue\n/, /Replicas: +3\n/] },
  { type: 'explain widget.spec.color', out: ['Color is what it is painted with.', '<string>'] },
  // The conformance tests of Kubernetes look for this text.
  { type: 'explain widget.metadata', out: 'CreationTimestamp is a timestamp' },
  { type: 'explain wd --recursive', out: ['parts', 'size', 'conditions', 'Widget is a toy for tests.'] },
  { type: 'auth can-i list widgets', out: 'yes\n' },
  { type: 'replace -f -', stdin: widget('one', '{color: blue}'), out: 'replaced\n' },
  { type: 'delete wd one --cascade=foreground --timeout=10s', out: 'deleted' },
  {
    type: 'apply -f -',
    stdin: crd.replace('served: true\n    storage: false', 'served: false\n    storage: false'),
    out: 'configured\n',
  },
  { type: `get --raw /apis/${group}/v1alpha1`, code: 1, err: '(NotFound)' },
  {
    type: 'apply --dry-run=server -f -',
    stdin: crd.replace('plural: widgets', 'plural: gadgets'),
    code: 1,
    err: 'spec.names.plural: Invalid value: "gadgets": field is immutable',
  },
  {
    type: 'apply --dry-run=server -f -',
    stdin: crd.replace('type: array', 'type: arrow'),
    code: 1,
    err: 'Unsupported value: "arrow"',
  },
  { type: `delete crd widgets.${group} --timeout=20s`, out: 'deleted' },
  // Reads discovery again, which kubectl otherwise caches.
  { type: `api-resources --api-group=${group}`, out: /^NAME[^\n]*\n$/ },
  { type: 'get wd', code: 1, err: 'the server doesn\'t have a resource type "wd"' },
  { type: 'delete ns $NS --timeout=20s', out: 'deleted' },
];
