#!/usr/bin/env node
// The `instar` command. Only reads the command line; what a command needs is loaded when it runs.
import module from 'node:module';
import { createProgram } from './program.ts';

// From Node 22 on compiled code is kept between runs, which saves a good part of the start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
await createProgram().parseAsync();
