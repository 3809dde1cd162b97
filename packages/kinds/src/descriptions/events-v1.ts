// What the types of events/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  Event: {
    '': 'Something that happened to an object. Events are for people, are kept for a short time, and must not be relied on.',
    metadata: 'Name, labels and what else all objects have.',
    eventTime: 'When it happened first.',
    series: 'How often it happened, if more than once.',
    reportingController: 'The controller that reported it, such as example.com/controller.',
    reportingInstance: 'Which instance of the controller it was.',
    action: 'What was done, or failed, with regard to the object.',
    reason: 'Why, in one word for programs.',
    regarding: 'The object that it is about.',
    related: 'A second object that plays a part.',
    note: 'What happened, in words for people.',
    type: 'Normal or Warning.',
    deprecatedSource: 'The source field of core events, kept for old clients.',
    deprecatedFirstTimestamp: 'The firstTimestamp field of core events, kept for old clients.',
    deprecatedLastTimestamp: 'The lastTimestamp field of core events, kept for old clients.',
    deprecatedCount: 'The count field of core events, kept for old clients.',
  },
  EventSeries: {
    '': 'How often the same thing happened.',
    count: 'How often, up to the last time.',
    lastObservedTime: 'The last time.',
  },
};
