# syntax=docker/dockerfile:1
# One image for every area: SERVICES says what a container runs; without it, everything. Node strips the types.
# The tag is the version that package.json pins as its dependency `node`; a test holds the two together.
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without install scripts: the only one that matters would fetch Node a second time, and the base image is that Node already.
# `npm ci` refuses a lock file that lacks another platform's optional packages; `npm install` takes its versions.
RUN --mount=type=cache,target=/root/.npm \
  (npm ci --omit=dev --ignore-scripts || npm install --no-save --omit=dev --ignore-scripts) && rm -rf node_modules/node node_modules/.bin/node

FROM ${NODE_IMAGE} AS application
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY . .
# Starts and stops the whole platform once, as the user it will run as: an image that lacks something is not made, and the bundle
# and the code compiled on the way stay in .cache, so that containers start quicker and need not write.
RUN mkdir .cache && chown node:node .cache
USER node
RUN ["node", "--input-type=module", "--eval", "\
  import { spawn } from 'node:child_process';\
  import { existsSync } from 'node:fs';\
  const env = { ...process.env, DATA_DIR: ':memory:', PORT: '0', INGEST_INTERVAL_MINUTES: '10080' };\
  const node = spawn(process.execPath, ['--max-semi-space-size=8', '--heap-growing-percent=40', 'scripts/start.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });\
  node.stdout.on('data', (text) => { if (String(text).includes('is ready')) node.kill(); });\
  node.on('exit', (code) => process.exit(code ?? 1 ? 1 : Number(!existsSync('.cache/bundle'))));"]
# Node writes it for its owner's eyes; the running user must read it, and cannot change it.
USER root
RUN chmod -R a+rX .cache

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Signalmesh"
WORKDIR /app
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json
RUN install -d -o node -g node -m 0700 /data
COPY --from=application /app ./
# The number, not the name: Kubernetes can then see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: it hears SIGTERM, finishes what it accepted and ends.
# Room for young objects, and how far the heap of old ones grows between collections: as package.json has them for npm start.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "scripts/start.ts"]
