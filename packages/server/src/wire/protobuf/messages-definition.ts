// The messages of CustomResourceDefinitions in protobuf, in v1 and in v1beta1. See messages.ts for how they
// are written.

const SPEC_OF_BOTH = '1 group string, 3 names CustomResourceDefinitionNames, 4 scope string';

const VERSION_OF_BOTH =
  '1 name string, 2 served bool, 3 storage bool, 7 deprecated bool, 8 deprecationWarning *string, 4 schema *CustomResourceValidation, ' +
  '5 subresources *CustomResourceSubresources, 9 selectableFields []SelectableField';

const COLUMN_OF_BOTH = '1 name string, 2 type string, 3 format string, 4 description string, 5 priority int';

export const DEFINITION_MESSAGES: Readonly<Record<string, string>> = {
  CustomResourceDefinition:
    '1 metadata ObjectMeta, 2 spec CustomResourceDefinitionSpec, 3 status CustomResourceDefinitionStatus',
  CustomResourceDefinitionSpec:
    `${SPEC_OF_BOTH}, 7 versions []CustomResourceDefinitionVersion, 9 conversion *CustomResourceConversion, ` +
    '10 preserveUnknownFields bool',
  CustomResourceDefinitionVersion: `${VERSION_OF_BOTH}, 6 additionalPrinterColumns []CustomResourceColumnDefinition`,
  CustomResourceColumnDefinition: `${COLUMN_OF_BOTH}, 6 jsonPath string`,
  CustomResourceConversion: '1 strategy string, 2 webhook *WebhookConversion',
  WebhookConversion: '2 clientConfig *WebhookClientConfig, 3 conversionReviewVersions []string',
  BetaDefinition: '1 metadata ObjectMeta, 2 spec BetaSpec, 3 status CustomResourceDefinitionStatus',
  BetaSpec:
    `${SPEC_OF_BOTH}, 2 version string, 5 validation *CustomResourceValidation, 6 subresources *CustomResourceSubresources, ` +
    '7 versions []BetaVersion, 8 additionalPrinterColumns []BetaColumn, 11 selectableFields []SelectableField, ' +
    '9 conversion *BetaConversion, 10 preserveUnknownFields *bool',
  BetaVersion: `${VERSION_OF_BOTH}, 6 additionalPrinterColumns []BetaColumn`,
  BetaColumn: `${COLUMN_OF_BOTH}, 6 JSONPath string`,
  BetaConversion:
    '1 strategy string, 2 webhookClientConfig *WebhookClientConfig, 3 conversionReviewVersions []string',
  CustomResourceDefinitionNames:
    '1 plural string, 2 singular string, 3 shortNames []string, 4 kind string, 5 listKind string, 6 categories []string',
  CustomResourceDefinitionStatus:
    '1 conditions []CustomResourceDefinitionCondition, 2 acceptedNames CustomResourceDefinitionNames, 3 storedVersions []string, ' +
    '4 observedGeneration int',
  CustomResourceDefinitionCondition:
    '1 type string, 2 status string, 3 lastTransitionTime Time, 4 reason string, 5 message string, 6 observedGeneration int',
  SelectableField: '1 jsonPath string',
  CustomResourceSubresources:
    '1 status *CustomResourceSubresourceStatus, 2 scale *CustomResourceSubresourceScale',
  CustomResourceSubresourceStatus: '',
  CustomResourceSubresourceScale:
    '1 specReplicasPath string, 2 statusReplicasPath string, 3 labelSelectorPath *string',
  CustomResourceValidation: '1 openAPIV3Schema *JSONSchemaProps',
  JSONSchemaProps:
    '1 id string, 2 $schema string, 3 $ref *string, 4 description string, 5 type string, 6 format string, 7 title string, ' +
    '8 default *Json, 9 maximum *double, 10 exclusiveMaximum bool, 11 minimum *double, 12 exclusiveMinimum bool, 13 maxLength *int, ' +
    '14 minLength *int, 15 pattern string, 16 maxItems *int, 17 minItems *int, 18 uniqueItems bool, 19 multipleOf *double, ' +
    '20 enum []Json, 21 maxProperties *int, 22 minProperties *int, 23 required []string, 24 items *JSONSchemaPropsOrArray, ' +
    '25 allOf []JSONSchemaProps, 26 oneOf []JSONSchemaProps, 27 anyOf []JSONSchemaProps, 28 not *JSONSchemaProps, ' +
    '29 properties {}JSONSchemaProps, 30 additionalProperties *JSONSchemaPropsOrBool, 31 patternProperties {}JSONSchemaProps, ' +
    '32 dependencies {}JSONSchemaPropsOrStringArray, 33 additionalItems *JSONSchemaPropsOrBool, 34 definitions {}JSONSchemaProps, ' +
    '35 externalDocs *ExternalDocumentation, 36 example *Json, 37 nullable bool, 38 x-kubernetes-preserve-unknown-fields *bool, ' +
    '39 x-kubernetes-embedded-resource bool, 40 x-kubernetes-int-or-string bool, 41 x-kubernetes-list-map-keys []string, ' +
    '42 x-kubernetes-list-type *string, 43 x-kubernetes-map-type *string, 44 x-kubernetes-validations []ValidationRule',
  JSONSchemaPropsOrArray: '1 schema *JSONSchemaProps, 2 schemas []JSONSchemaProps',
  JSONSchemaPropsOrBool: '1 allows bool, 2 schema *JSONSchemaProps',
  JSONSchemaPropsOrStringArray: '1 schema *JSONSchemaProps, 2 texts []string',
  ExternalDocumentation: '1 description string, 2 url string',
  ValidationRule:
    '1 rule string, 2 message string, 3 messageExpression string, 4 reason *string, 5 fieldPath string, 6 optionalOldSelf *bool',
};
