// metav1.LabelSelector, as webhook configurations and aggregated cluster roles use it.
import { atomicList, field, mapOf, named, required, string, struct } from '@instar/kinds';

const LabelSelectorRequirement = struct('v1.LabelSelectorRequirement', 'A condition on one label.', {
  key: required(1, string, 'The key of the label.'),
  operator: required(2, named('v1.LabelSelectorOperator'), 'In, NotIn, Exists or DoesNotExist.'),
  values: atomicList(3, string, 'The values to compare with; none for Exists and DoesNotExist.'),
});

export const LabelSelector = struct(
  'v1.LabelSelector',
  'Chooses objects by their labels: all conditions must hold, and an empty selector chooses everything.',
  {
    matchLabels: field(1, mapOf(string), 'Labels that an object must have, with these values.'),
    matchExpressions: atomicList(2, LabelSelectorRequirement, 'Further conditions on labels.'),
  },
  { atomic: true },
);
