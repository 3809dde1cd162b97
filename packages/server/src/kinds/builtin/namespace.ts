// v1 Namespace. Its deletion waits for spec.finalizers, which the namespace controller removes through
// /finalize once it has deleted the content.

import { nameIsDnsLabel, validateQualifiedName } from '@instar/go';
import { goStruct } from '@instar/kinds';
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

interface Namespace extends KubeObject {
  spec: { finalizers?: string[] };
  status: { phase?: string; conditions?: JsonObject[] };
}

const KUBERNETES = 'kubernetes';
/** Names without a domain that are known as finalizers. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([KUBERNETES, 'orphan', 'foregroundDeletion']);
const NAME_LABEL = 'kubernetes.io/metadata.name';

function fillIn(namespace: JsonObject): void {
  (namespace as unknown as Namespace).status.phase ||= 'Active';
  labelWithName(namespace);
}

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
      type: goStruct('core/v1.Namespace'),
      fillIn,
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
