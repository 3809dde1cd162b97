// apiextensions.k8s.io CustomResourceDefinition in v1 and v1beta1 as Go types, for decoding, OpenAPI and
// server-side apply.
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
} from '@instar/kinds';
import { kind } from '../typed/object-meta.ts';
import { JSONSchemaProps } from './json-schema-type.ts';

const Names = struct('v1.CustomResourceDefinitionNames', 'The names under which the resource is served.', {
  plural: required(1, string, 'The name in paths.'),
  singular: field(2, string, 'The name of one; the kind in lower case if not given.'),
  shortNames: atomicList(3, string, 'Shorter names for kubectl.'),
  kind: required(4, string, 'The kind of the objects, in CamelCase.'),
  listKind: field(5, string, 'The kind of a list; the kind with List behind it if not given.'),
  categories: atomicList(6, string, 'Groups of resources that the resource belongs to, such as all.'),
});

const ServiceReference = struct('v1.ServiceReference', 'A service of the cluster.', {
  namespace: required(1, string, 'Its namespace.'),
  name: required(2, string, 'Its name.'),
  path: pointer(3, string, 'The path of the URL.'),
  port: pointer(4, int32, 'Its port.', { default: 443 }),
});

const WebhookClientConfig = struct(
  'v1.WebhookClientConfig',
  'How to call the webhook: by URL or by service.',
  {
    url: pointer(3, string, 'The address, beginning with https://.'),
    service: pointer(1, ServiceReference, 'The service.'),
    caBundle: field(2, bytes, 'The certificates, in PEM, that the webhook is trusted by.'),
  },
);

const WebhookConversion = struct('v1.WebhookConversion', 'Conversion by a webhook.', {
  clientConfig: pointer(2, WebhookClientConfig, 'How to call it.'),
  conversionReviewVersions: atomicList(
    3,
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
      1,
      named('v1beta1.ConversionStrategyType'),
      'None: only apiVersion changes. Webhook: a webhook converts.',
    ),
    webhookClientConfig: pointer(2, WebhookClientConfig, 'How to call the webhook, for strategy Webhook.'),
    conversionReviewVersions: atomicList(
      3,
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
      1,
      named('v1.ConversionStrategyType'),
      'None: only apiVersion changes. Webhook: a webhook converts.',
    ),
    webhook: pointer(2, WebhookConversion, 'For strategy Webhook.'),
  },
);

const Scale = struct('v1.CustomResourceSubresourceScale', 'Where the scale subresource finds its numbers.', {
  specReplicasPath: required(1, string, 'Path of the wanted number, such as .spec.replicas.'),
  statusReplicasPath: required(2, string, 'Path of the present number, such as .status.replicas.'),
  labelSelectorPath: pointer(3, string, 'Path of a label selector as text.'),
});

const Subresources = struct('v1.CustomResourceSubresources', 'The subresources that are served.', {
  status: pointer(
    1,
    struct(
      'v1.CustomResourceSubresourceStatus',
      'Serves /status, through which alone the status is written.',
      {},
    ),
    'Serves /status.',
  ),
  scale: pointer(2, Scale, 'Serves /scale.'),
});

const Column = struct('v1.CustomResourceColumnDefinition', 'A column of kubectl get.', {
  name: required(1, string, 'The title.'),
  type: required(2, string, 'integer, number, string, boolean or date.'),
  format: field(3, string, 'A format of the type.'),
  description: field(4, string, 'What the column shows.'),
  priority: field(5, int32, 'Above 0: shown with -o wide only.'),
  jsonPath: required(6, string, 'The path of the value.'),
});

const BetaColumn = struct('v1beta1.CustomResourceColumnDefinition', 'A column of kubectl get.', {
  name: required(1, string, 'The title.'),
  type: required(2, string, 'integer, number, string, boolean or date.'),
  format: field(3, string, 'A format of the type.'),
  description: field(4, string, 'What the column shows.'),
  priority: field(5, int32, 'Above 0: shown with -o wide only.'),
  JSONPath: required(6, string, 'The path of the value.'),
});

const SelectableField = struct('v1.SelectableField', 'A field that field selectors may ask for.', {
  jsonPath: required(1, string, 'Its path.'),
});

const Validation = struct('v1.CustomResourceValidation', 'The schema of a version.', {
  openAPIV3Schema: pointer(1, JSONSchemaProps, 'The schema.'),
});

const Version = struct('v1.CustomResourceDefinitionVersion', 'One version of the resource.', {
  name: required(1, string, 'Its name, such as v1beta1.'),
  served: required(2, bool, 'True if requests in this version are answered.'),
  storage: required(3, bool, 'True for the one version that objects are stored in.'),
  deprecated: field(7, bool, 'True to warn clients that use it.'),
  deprecationWarning: pointer(8, string, 'The warning, if not the usual one.'),
  schema: pointer(4, Validation, 'What objects look like.'),
  subresources: pointer(5, Subresources, 'The subresources that are served.'),
  additionalPrinterColumns: atomicList(6, Column, 'The columns of kubectl get after the name.'),
  selectableFields: atomicList(9, SelectableField, 'Fields that field selectors may ask for.'),
});

const BetaVersion = struct('v1beta1.CustomResourceDefinitionVersion', 'One version of the resource.', {
  ...Object.fromEntries(Version.fields),
  additionalPrinterColumns: atomicList(
    6,
    BetaColumn,
    'The columns of kubectl get after the name, where versions differ in them.',
  ),
});

const BetaSpec = struct('v1beta1.CustomResourceDefinitionSpec', 'What the resource is.', {
  group: required(1, string, 'The API group.'),
  version: field(2, string, 'The name of the first version; see versions.'),
  names: required(3, Names, 'The names under which it is served.'),
  scope: required(4, named('v1beta1.ResourceScope'), 'Namespaced or Cluster.'),
  validation: pointer(5, Validation, 'The schema of all versions, unless each has its own.'),
  subresources: pointer(6, Subresources, 'The subresources of all versions, unless each has its own.'),
  versions: atomicList(7, BetaVersion, 'Its versions.'),
  additionalPrinterColumns: atomicList(
    8,
    BetaColumn,
    'The columns of all versions, unless each has its own.',
  ),
  selectableFields: atomicList(
    11,
    SelectableField,
    'The selectable fields of all versions, unless each has its own.',
  ),
  conversion: pointer(9, BetaConversion, 'How objects of one version become objects of another.'),
  preserveUnknownFields: pointer(10, bool, 'True to keep fields that no schema names.'),
});

const Spec = struct('v1.CustomResourceDefinitionSpec', 'What the resource is.', {
  group: required(1, string, 'The API group.'),
  names: required(3, Names, 'The names under which it is served.'),
  scope: required(4, named('v1.ResourceScope'), 'Namespaced or Cluster.'),
  versions: atomicList(7, Version, 'Its versions.', { required: true, keepEmpty: true }),
  conversion: pointer(9, Conversion, 'How objects of one version become objects of another.'),
  preserveUnknownFields: field(10, bool, 'Must be false; see x-kubernetes-preserve-unknown-fields.'),
});

const Condition = struct(
  'v1.CustomResourceDefinitionCondition',
  'One thing that is known about the state of the definition.',
  {
    type: required(
      1,
      named('v1.CustomResourceDefinitionConditionType'),
      'Established, NamesAccepted, Terminating or another one.',
    ),
    status: required(2, named('v1.ConditionStatus'), 'True, False or Unknown.'),
    lastTransitionTime: field(3, time, 'When the status last changed.'),
    reason: field(4, string, 'A word for why.'),
    message: field(5, string, 'A sentence for people.'),
    observedGeneration: field(6, int64, 'The generation of the definition that this is about.'),
  },
);

const Status = struct('v1.CustomResourceDefinitionStatus', 'What the server has made of the definition.', {
  conditions: field(1, listOf(Condition), 'What is known about its state.', {
    listType: 'map',
    mapKeys: ['type'],
    keepEmpty: true,
  }),
  acceptedNames: required(2, Names, 'The names that are in use.'),
  storedVersions: atomicList(3, string, 'Versions that objects may be stored in.', { keepEmpty: true }),
  observedGeneration: field(4, int64, 'The generation that the status is about.'),
});

export const CustomResourceDefinitionType = kind(
  'v1.CustomResourceDefinition',
  'A resource that is added to the API: its names, its versions and their schemas.',
  {
    spec: required(2, Spec, 'What the resource is.'),
    status: field(3, Status, 'What the server has made of it.'),
  },
);

export const CustomResourceDefinitionBetaType = kind(
  'v1beta1.CustomResourceDefinition',
  'A resource that is added to the API, in the older form of its description: use v1.',
  {
    spec: required(2, BetaSpec, 'What the resource is.'),
    status: field(3, Status, 'What the server has made of it.'),
  },
);
