import { Module } from '@nestjs/common';

import { ManagementServer } from './management-server.js';

/** The operators' port of a process. */
@Module({ providers: [ManagementServer], exports: [ManagementServer] })
export class ManagementModule {}
