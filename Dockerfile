# One image for all processes: the command names the app (api, worker, sandbox, cli).
FROM node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY nest-cli.json tsconfig.json openapi.json ./
COPY scripts scripts
COPY apps apps
COPY libs libs
COPY clients/typescript clients/typescript
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/.cache

FROM node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
# A named volume takes its owner from this folder when it is first used.
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/scripts/system scripts/system
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000 3001 3002 3003
# Keeps V8 from gathering garbage where memory is plentiful; see docs/scaling.md.
ENTRYPOINT ["node", "--max-old-space-size=256", "dist/libs/stack/src/container.js"]
CMD ["api"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.API_MANAGEMENT_PORT || 3001) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
