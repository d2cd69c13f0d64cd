# The service and its workers: one image. `docker build -t assay .`, or `docker compose up` for all of it.
FROM node:26-bookworm-slim AS packages
WORKDIR /assay
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY clients clients
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:26-bookworm-slim AS web
WORKDIR /assay
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY clients clients
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY src/quality/report/client src/quality/report/client
COPY web web
RUN node scripts/ensure-web.cjs

FROM node:26-bookworm-slim
WORKDIR /assay
COPY --from=packages /assay/node_modules node_modules
COPY package.json LICENSE NOTICE openapi.json ./
COPY bin bin
COPY packages packages
COPY clients clients
COPY scripts scripts
COPY src src
COPY --from=web /assay/web/dist web/dist
# Scripts are compiled once and kept; the folder must be writable by whoever runs the service.
RUN mkdir -p /data node_modules/.cache && chown -R node:node /data node_modules/.cache
USER node
ENV NODE_ENV=production ASSAY_DATA_DIR=/data ASSAY_HOST=0.0.0.0 ASSAY_SOURCE_ROOTS=/recordings
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8420/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/assay"]
CMD ["serve"]
