/** Every route of the domain API, area by area: a new area is one file and one line here. */
import { analyticsRoutes } from './analytics.ts'
import { callbackRoutes, socialCallbackRoutes } from './callbacks.ts'
import { clipRoutes } from './clips.ts'
import { confirmationRoutes, contextRoutes, operationRoutes, searchRoutes } from './operations.ts'
import type { DomainRoute } from './declare.ts'
import { socialRoutes } from './social.ts'
import { voiceRoutes } from './voices.ts'
import { workerRoutes } from './workers.ts'
import { workflowRoutes } from './workflows.ts'

export const DOMAIN_ROUTES: readonly DomainRoute[] = [
  ...contextRoutes,
  ...confirmationRoutes,
  ...clipRoutes,
  ...operationRoutes,
  ...searchRoutes,
  ...analyticsRoutes,
  ...workflowRoutes,
  ...voiceRoutes,
  ...callbackRoutes,
  ...workerRoutes,
  ...socialRoutes,
  ...socialCallbackRoutes,
]
