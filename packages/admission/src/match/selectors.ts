// Selection by labels: those of the namespace, and those of the object and the old object.
import {
  type ApiError,
  apiErrors,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  SelectorError,
} from '@instar/machinery';
import type { AdmissionSubject } from '../subject.ts';

export type Labels = Readonly<Record<string, string>>;

/** A selector that cannot be parsed (stored by an older server) fails the requests it applies to. */
type CompiledSelector = LabelSelector | { readonly error: string };

export interface Selectors {
  readonly namespaceSelector: CompiledSelector;
  readonly objectSelector: CompiledSelector;
}

export interface SelectorSource {
  readonly namespaceSelector?: LabelSelectorObject | null;
  readonly objectSelector?: LabelSelectorObject | null;
}

export function compileSelectors({ namespaceSelector, objectSelector }: SelectorSource): Selectors {
  return {
    namespaceSelector: compileSelector(namespaceSelector),
    objectSelector: compileSelector(objectSelector),
  };
}

function compileSelector(object: LabelSelectorObject | null | undefined): CompiledSelector {
  try {
    return labelSelectorFromObject(object);
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

/** Where the labels of namespaces come from. Rejects with NotFound if the namespace does not exist. */
export type NamespaceLabels = (namespace: string) => Promise<Labels>;

type Selected = boolean | ApiError;

/** False if either selector does not match; otherwise an error if there was one. */
export async function isSelected(
  { namespaceSelector, objectSelector }: Selectors,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  labelsOf: NamespaceLabels,
): Promise<boolean> {
  const byObject = selectsObject(objectSelector, object, subject.old);
  if (byObject === false) return false;
  const byNamespace = await selectsNamespace(namespaceSelector, subject, object, labelsOf);
  if (byNamespace === false) return false;
  if (byNamespace !== true) throw byNamespace;
  if (byObject !== true) throw byObject;
  return true;
}

function selectsObject(
  selector: CompiledSelector,
  object: KubeObject | undefined,
  old: KubeObject | undefined,
): Selected {
  if ('error' in selector) return apiErrors.internal(selector.error);
  if (selector.empty) return true;
  const selects = (candidate: KubeObject | undefined): boolean =>
    candidate !== undefined && selector.matches(candidate.metadata.labels ?? {});
  return selects(object) || selects(old);
}

async function selectsNamespace(
  selector: CompiledSelector,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  labelsOf: NamespaceLabels,
): Promise<Selected> {
  const isNamespace = subject.resource.resource === 'namespaces';
  if (subject.namespace === '' && !isNamespace) return true;
  if ('error' in selector) return apiErrors.internal(selector.error);
  if (selector.empty) return true;
  // A namespace that is being written counts with the labels that it will have.
  const isWritten =
    isNamespace &&
    subject.subresource === '' &&
    (subject.operation === 'CREATE' || subject.operation === 'UPDATE');
  const labels = isWritten ? (object?.metadata.labels ?? {}) : await labelsOf(subject.namespace);
  return selector.matches(labels);
}
