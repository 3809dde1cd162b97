// apiextensions.k8s.io CustomResourceDefinition in v1 and v1beta1 as Go types: what decoding, OpenAPI and
// server-side apply know of it.
import {
  atomicList,
  bool,
  bytes,
  field,
  int32,
  int64,
  listOf,
  named,
  pointer,
  required,
  string,
  struct,
  time,
} from '../../objects/go-type.ts';
import { kind } from '../typed/object-meta.ts';
import { JSONSchemaProps } from './json-schema-type.ts';

const Names = struct('v1.CustomResourceDefinitionNames', 'The names under which the resource is served.', {
  plural: required(string, 'The name in paths.'),
  singular: field(string, 'The name of one; the kind in lower case if not given.'),
  shortNames: atomicList(string, 'Shorter names for kubectl.'),
  kind: required(string, 'The kind of the objects, in CamelCase.'),
  listKind: field(string, 'The kind of a list; the kind with List behind it if not given.'),
  categories: atomicList(string, 'Groups of resources that the resource belongs to, such as all.'),
});

const ServiceReference = struct('v1.ServiceReference', 'A service of the cluster.', {
  namespace: required(string, 'Its namespace.'),
  name: required(string, 'Its name.'),
  path: pointer(string, 'The path of the URL.'),
  port: pointer(int32, 'Its port.', { default: 443 }),
});

const WebhookClientConfig = struct(
  'v1.WebhookClientConfig',
  'How to call the webhook: by URL or by service.',
  {
    url: pointer(string, 'The address, beginning with https://.'),
    service: pointer(ServiceReference, 'The service.'),
    caBundle: field(bytes, 'The certificates, in PEM, that the webhook is trusted by.'),
  },
);

const WebhookConversion = struct('v1.WebhookConversion', 'Conversion by a webhook.', {
  clientConfig: pointer(WebhookClientConfig, 'How to call it.'),
  conversionReviewVersions: atomicList(
    string,
    'The versions of ConversionReview that it understands, preferred first.',
    {
      required: true,
      keepEmpty: true,
    },
  ),
});

const BetaConversion = struct(
  'v1beta1.CustomResourceConversion',
  'How objects of one version become objects of another.',
  {
    strategy: required(
      named('v1beta1.ConversionStrategyType'),
      'None: only apiVersion changes. Webhook: a webhook converts.',
    ),
    webhookClientConfig: pointer(WebhookClientConfig, 'How to call the webhook, for strategy Webhook.'),
    conversionReviewVersions: atomicList(
      string,
      'The versions of ConversionReview that it understands, preferred first.',
    ),
  },
);

const Conversion = struct(
  'v1.CustomResourceConversion',
  'How objects of one version become objects of another.',
  {
    strategy: required(
      named('v1.ConversionStrategyType'),
      'None: only apiVersion changes. Webhook: a webhook converts.',
    ),
    webhook: pointer(WebhookConversion, 'For strategy Webhook.'),
  },
);

const Scale = struct('v1.CustomResourceSubresourceScale', 'Where the scale subresource finds its numbers.', {
  specReplicasPath: required(string, 'Path of the wanted number, such as .spec.replicas.'),
  statusReplicasPath: required(string, 'Path of the present number, such as .status.replicas.'),
  labelSelectorPath: pointer(string, 'Path of a label selector as text.'),
});

const Subresources = struct('v1.CustomResourceSubresources', 'The subresources that are served.', {
  status: pointer(
    struct(
      'v1.CustomResourceSubresourceStatus',
      'Serves /status, through which alone the status is written.',
      {},
    ),
    'Serves /status.',
  ),
  scale: pointer(Scale, 'Serves /scale.'),
});

const Column = struct('v1.CustomResourceColumnDefinition', 'A column of kubectl get.', {
  name: required(string, 'The title.'),
  type: required(string, 'integer, number, string, boolean or date.'),
  format: field(string, 'A format of the type.'),
  description: field(string, 'What the column shows.'),
  priority: field(int32, 'Above 0: shown with -o wide only.'),
  jsonPath: required(string, 'The path of the value.'),
});

const BetaColumn = struct('v1beta1.CustomResourceColumnDefinition', 'A column of kubectl get.', {
  name: required(string, 'The title.'),
  type: required(string, 'integer, number, string, boolean or date.'),
  format: field(string, 'A format of the type.'),
  description: field(string, 'What the column shows.'),
  priority: field(int32, 'Above 0: shown with -o wide only.'),
  JSONPath: required(string, 'The path of the value.'),
});

const SelectableField = struct('v1.SelectableField', 'A field that field selectors may ask for.', {
  jsonPath: required(string, 'Its path.'),
});

const Validation = struct('v1.CustomResourceValidation', 'The schema of a version.', {
  openAPIV3Schema: pointer(JSONSchemaProps, 'The schema.'),
});

const Version = struct('v1.CustomResourceDefinitionVersion', 'One version of the resource.', {
  name: required(string, 'Its name, such as v1beta1.'),
  served: required(bool, 'True if requests in this version are answered.'),
  storage: required(bool, 'True for the one version that objects are stored in.'),
  deprecated: field(bool, 'True to warn clients that use it.'),
  deprecationWarning: pointer(string, 'The warning, if not the usual one.'),
  schema: pointer(Validation, 'What objects look like.'),
  subresources: pointer(Subresources, 'The subresources that are served.'),
  additionalPrinterColumns: atomicList(Column, 'The columns of kubectl get after the name.'),
  selectableFields: atomicList(SelectableField, 'Fields that field selectors may ask for.'),
});

const BetaVersion = struct('v1beta1.CustomResourceDefinitionVersion', 'One version of the resource.', {
  ...Object.fromEntries(Version.fields),
  additionalPrinterColumns: atomicList(
    BetaColumn,
    'The columns of kubectl get after the name, where versions differ in them.',
  ),
});

const BetaSpec = struct('v1beta1.CustomResourceDefinitionSpec', 'What the resource is.', {
  group: required(string, 'The API group.'),
  version: field(string, 'The name of the first version; see versions.'),
  names: required(Names, 'The names under which it is served.'),
  scope: required(named('v1beta1.ResourceScope'), 'Namespaced or Cluster.'),
  validation: pointer(Validation, 'The schema of all versions, unless each has its own.'),
  subresources: pointer(Subresources, 'The subresources of all versions, unless each has its own.'),
  versions: atomicList(BetaVersion, 'Its versions.'),
  additionalPrinterColumns: atomicList(BetaColumn, 'The columns of all versions, unless each has its own.'),
  selectableFields: atomicList(
    SelectableField,
    'The selectable fields of all versions, unless each has its own.',
  ),
  conversion: pointer(BetaConversion, 'How objects of one version become objects of another.'),
  preserveUnknownFields: pointer(bool, 'True to keep fields that no schema names.'),
});

const Spec = struct('v1.CustomResourceDefinitionSpec', 'What the resource is.', {
  group: required(string, 'The API group.'),
  names: required(Names, 'The names under which it is served.'),
  scope: required(named('v1.ResourceScope'), 'Namespaced or Cluster.'),
  versions: atomicList(Version, 'Its versions.', { required: true, keepEmpty: true }),
  conversion: pointer(Conversion, 'How objects of one version become objects of another.'),
  preserveUnknownFields: field(bool, 'Must be false; see x-kubernetes-preserve-unknown-fields.'),
});

const Condition = struct(
  'v1.CustomResourceDefinitionCondition',
  'One thing that is known about the state of the definition.',
  {
    type: required(
      named('v1.CustomResourceDefinitionConditionType'),
      'Established, NamesAccepted, Terminating or another one.',
    ),
    status: required(named('v1.ConditionStatus'), 'True, False or Unknown.'),
    lastTransitionTime: field(time, 'When the status last changed.'),
    reason: field(string, 'A word for why.'),
    message: field(string, 'A sentence for people.'),
    observedGeneration: field(int64, 'The generation of the definition that this is about.'),
  },
);

const Status = struct('v1.CustomResourceDefinitionStatus', 'What the server has made of the definition.', {
  conditions: field(listOf(Condition), 'What is known about its state.', {
    listType: 'map',
    mapKeys: ['type'],
    keepEmpty: true,
  }),
  acceptedNames: required(Names, 'The names that are in use.'),
  storedVersions: atomicList(string, 'Versions that objects may be stored in.', { keepEmpty: true }),
  observedGeneration: field(int64, 'The generation that the status is about.'),
});

export const CustomResourceDefinitionType = kind(
  'v1.CustomResourceDefinition',
  'A resource that is added to the API: its names, its versions and their schemas.',
  {
    spec: required(Spec, 'What the resource is.'),
    status: field(Status, 'What the server has made of it.'),
  },
);

export const CustomResourceDefinitionBetaType = kind(
  'v1beta1.CustomResourceDefinition',
  'A resource that is added to the API, in the older form of its description: use v1.',
  {
    spec: required(BetaSpec, 'What the resource is.'),
    status: field(Status, 'What the server has made of it.'),
  },
);
