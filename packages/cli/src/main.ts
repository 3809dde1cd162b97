// The `instar` command. Only reads the command line; what a command needs is loaded when it runs.
import { createProgram } from './program.ts';

// Not awaited at the top: the bundle is made of scripts, see docs/decisions/0003-one-bundle.md. What fails
// here ends the process all the same.
void createProgram().parseAsync();
