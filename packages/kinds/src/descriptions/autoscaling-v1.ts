// What the types of autoscaling/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  Scale: {
    '': 'The size of something that can be scaled.',
    metadata: 'The metadata of what is scaled.',
    spec: 'The size that is wanted.',
    status: 'The size that is there.',
  },
  ScaleSpec: {
    '': 'The size that is wanted.',
    replicas: 'How many replicas there are to be.',
  },
  ScaleStatus: {
    '': 'The size that is there.',
    replicas: 'How many replicas there are.',
    selector: 'The label selector of the replicas, as text.',
  },
};
