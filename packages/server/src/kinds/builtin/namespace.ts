// v1 Namespace. Its deletion waits for spec.finalizers, which the namespace controller removes through
// /finalize once it has deleted the content.

import { nameIsDnsLabel, validateQualifiedName } from '@instar/go';
import { atomicList, field, listOf, named, required, string, struct, time } from '@instar/kinds';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type KubeObject,
} from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, metadataOf, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';

interface Namespace extends KubeObject {
  spec: { finalizers?: string[] };
  status: { phase?: string; conditions?: JsonObject[] };
}

const KUBERNETES = 'kubernetes';
/** Names without a domain that are known as finalizers. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([KUBERNETES, 'orphan', 'foregroundDeletion']);
const NAME_LABEL = 'kubernetes.io/metadata.name';

const NamespaceCondition = struct(
  'v1.NamespaceCondition',
  'One thing that is known about the state of a namespace.',
  {
    type: required(1, named('v1.NamespaceConditionType'), 'What the condition is about.'),
    status: required(2, named('v1.ConditionStatus'), 'True, False or Unknown.'),
    lastTransitionTime: field(4, time, 'When the status last changed.'),
    reason: field(5, string, 'A word for why the condition is as it is.'),
    message: field(6, string, 'A sentence for people.'),
  },
);

const NamespaceSpec = struct('v1.NamespaceSpec', 'How the namespace behaves.', {
  finalizers: atomicList(
    1,
    named('v1.FinalizerName'),
    'Names that must be gone before the namespace may be removed from storage.',
  ),
});

const NamespaceStatus = struct('v1.NamespaceStatus', 'In which part of its life the namespace is.', {
  phase: field(
    1,
    named('v1.NamespacePhase', 'Active', 'Terminating'),
    'Active, or Terminating once deletion was asked for.',
    {
      default: 'Active',
    },
  ),
  conditions: field(
    2,
    listOf(NamespaceCondition),
    'What stands in the way of deletion, among other things.',
    {
      listType: 'map',
      mapKeys: ['type'],
      patch: { strategy: 'merge', key: 'type' },
    },
  ),
});

const type = kind(
  'v1.Namespace',
  'A space for names: objects of different namespaces may have the same name.',
  {
    spec: field(2, NamespaceSpec, 'How the namespace behaves.'),
    status: field(3, NamespaceStatus, 'In which part of its life the namespace is.'),
  },
);

/** Selectors match a namespace by name through this label, so it is always set. */
function labelWithName(namespace: JsonObject): void {
  const metadata = metadataOf(namespace);
  const { name } = metadata;
  if (typeof name !== 'string' || name === '') return;
  metadata['labels'] = {
    ...(isJsonObject(metadata['labels']) ? metadata['labels'] : {}),
    [NAME_LABEL]: name,
  };
}

function prepareForCreate(namespace: Namespace): void {
  const { finalizers = [] } = namespace.spec;
  namespace.spec.finalizers = finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES];
  namespace.status = { phase: 'Active' };
  labelWithName(namespace as unknown as JsonObject);
}

function prepareForUpdate(namespace: Namespace, old: Namespace, { subresource }: WriteContext): void {
  if (subresource !== 'finalize') namespace.spec = { ...old.spec };
  if (subresource !== 'status') namespace.status = { ...old.status };
}

function validateFinalizers(namespace: Namespace, at: (index: number) => FieldPath): FieldError[] {
  return (namespace.spec.finalizers ?? []).flatMap((name, index) => {
    const errors = validateQualifiedName(name).map((reason) => fieldErrors.invalid(at(index), name, reason));
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) return errors;
    return [
      ...errors,
      fieldErrors.invalid(
        at(index),
        name,
        'name is neither a standard finalizer name nor is it fully qualified',
      ),
    ];
  });
}

const FINALIZERS = FieldPath.of('spec', 'finalizers');

function validateNamespace(namespace: Namespace): FieldError[] {
  return validateFinalizers(namespace, () => FINALIZERS);
}

function validateUpdate(namespace: Namespace, { subresource }: WriteContext): FieldError[] {
  if (subresource === 'status') return validatePhase(namespace);
  return subresource === 'finalize'
    ? validateFinalizers(namespace, (index) => FINALIZERS.index(index))
    : validateNamespace(namespace);
}

function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const phase = status.phase ?? '';
  const [expected, when] = metadata.deletionTimestamp ? ['Terminating', 'not empty'] : ['Active', 'empty'];
  if (phase === expected) return [];
  return [
    fieldErrors.invalid(
      'status.Phase',
      phase,
      `may only be '${expected}' if \`deletionTimestamp\` is ${when}`,
    ),
  ];
}

const phaseOf = ({ status }: JsonObject): string =>
  isJsonObject(status) ? String(status['phase'] ?? '') : '';

export const namespaces = defineKind({
  plural: 'namespaces',
  kind: 'Namespace',
  shortNames: ['ns'],
  namespaced: false,
  storagePath: 'namespaces/',
  versions: [
    {
      group: '',
      version: 'v1',
      type,
      fillIn: labelWithName,
      statusSubresource: true,
      columns: [nameColumn, column('Status', 'Active or Terminating.', phaseOf), ageColumn],
      selectableFields: [{ name: 'status.phase', value: phaseOf }],
    },
  ],
  strategy: {
    prepareForCreate: (namespace) => prepareForCreate(namespace as Namespace),
    prepareForUpdate: (namespace, old, context) =>
      prepareForUpdate(namespace as Namespace, old as Namespace, context),
    markForDeletion: (namespace) => {
      (namespace as Namespace).status.phase = 'Terminating';
    },
    validateName: nameIsDnsLabel,
    validateCreate: (namespace) => validateNamespace(namespace as Namespace),
    validateUpdate: (namespace, _old, context) => validateUpdate(namespace as Namespace, context),
    statusMayWriteMetadata: true,
    finalizersUnderSpec: true,
  },
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
});
