# The server in an image of its own. Packages come from the lock alone, each checked against its hash.
FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/doublesix
COPY requirements.lock ./
RUN /opt/doublesix/bin/python -m pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md ./
COPY engine engine
COPY protocol protocol
COPY bots bots
COPY server server
RUN /opt/doublesix/bin/python -m pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home doublesix && install -d -m 700 -o doublesix -g doublesix /data
COPY --from=build /opt/doublesix /opt/doublesix
ENV PATH=/opt/doublesix/bin:$PATH PYTHONUNBUFFERED=1
USER doublesix
VOLUME /data
EXPOSE 8661
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8661/readyz', timeout=2)"]
ENTRYPOINT ["doublesix"]
CMD ["serve", "--data", "/data"]
