// Conversions as one webhook. What is wrong with them is the user's to know, without our stack.
import { type ConversionDefinition, conversion, type Webhook } from '@instar/webhook';
import { CommandFailure } from '../exit-with-message.ts';

export function makeConversion(definitions: readonly ConversionDefinition[]): Webhook {
  try {
    return conversion(definitions);
  } catch (error) {
    throw new CommandFailure((error as Error).message, 2);
  }
}
