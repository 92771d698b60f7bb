ARG PYTHON_IMAGE=docker.io/library/python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285

FROM ${PYTHON_IMAGE} AS packages
ENV UV_NO_CACHE=1 \
    UV_SYSTEM_CERTS=1 \
    UV_PYTHON_DOWNLOADS=never
COPY requirements /src/requirements
RUN python3 -m venv --without-pip /opt/build \
 && python3 -m pip --python /opt/build/bin/python install --no-cache-dir --require-hashes --only-binary=:all: -r /src/requirements/build.txt
RUN python3 -m venv --without-pip /opt/gg \
 && /opt/build/bin/uv pip install --python /opt/gg/bin/python --compile-bytecode --require-hashes --only-binary=:all: -r /src/requirements/image.txt

FROM packages AS wheel
COPY pyproject.toml README.md LICENSE /src/
COPY anchors /src/anchors
COPY schemas /src/schemas
COPY suites /src/suites
COPY guardgate /src/guardgate
WORKDIR /src
RUN /opt/build/bin/python -m hatchling build -t wheel -d /dist

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="guardgate" \
      org.opencontainers.image.description="The gate that keeps a chatbot's or an agent's written rules true." \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=packages /opt/build/bin/uv /usr/local/bin/uv
COPY --from=packages /opt/gg /opt/gg
COPY --from=wheel /dist /opt/gg/dist
RUN uv pip install --no-cache --python /opt/gg/bin/python --compile-bytecode --no-index --no-deps /opt/gg/dist/*.whl \
 && ln -s /opt/gg/bin/guardgate /usr/local/bin/guardgate \
 && mkdir -m 0700 /home/child \
 && chown 65532:65532 /home/child
COPY entrypoint.py /opt/gg/entrypoint.py
ENV GUARDGATE_CHILD_UID=65532 \
    GUARDGATE_CHILD_HOME=/home/child
ENTRYPOINT ["/opt/gg/bin/python", "-I", "-u", "/opt/gg/entrypoint.py"]
