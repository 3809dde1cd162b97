// Conversions as one webhook. Mistakes in them are reported without our stack trace.
import { type ConversionDefinition, conversion, type Webhook } from '@instar/webhook';
import { CommandFailure } from '../exit-with-message.ts';

export function makeConversion(definitions: readonly ConversionDefinition[]): Webhook {
  try {
    return conversion(definitions);
  } catch (error) {
    throw new CommandFailure((error as Error).message, 2);
  }
}
