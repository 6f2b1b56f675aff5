; Made of reshape.c by `python -m native`; SHA-256 of that file and what it includes:
; a0f2a1b04b73d28642e146f192adb22a878a7fd201ab927a13ee5e55ae7790cf

%struct.name = type { i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @splice_texts(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = getelementptr inbounds i8, ptr %0, i64 48
  %4 = load ptr, ptr %3, align 8
  store i64 0, ptr %4, align 8
  %5 = load i64, ptr %0, align 8
  %6 = icmp sgt i64 %5, 0
  br i1 %6, label %7, label %19

7:                                                ; preds = %1
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = getelementptr inbounds i8, ptr %0, i64 16
  %11 = getelementptr inbounds i8, ptr %0, i64 96
  %12 = getelementptr inbounds i8, ptr %0, i64 80
  %13 = getelementptr inbounds i8, ptr %0, i64 88
  %14 = getelementptr inbounds i8, ptr %0, i64 32
  %15 = getelementptr inbounds i8, ptr %0, i64 104
  %16 = getelementptr inbounds i8, ptr %2, i64 1
  %17 = getelementptr inbounds i8, ptr %2, i64 2
  %18 = getelementptr inbounds i8, ptr %2, i64 3
  br label %20

19:                                               ; preds = %386, %1
  ret void

20:                                               ; preds = %7, %386
  %21 = phi i64 [ 0, %7 ], [ %392, %386 ]
  %22 = load ptr, ptr %3, align 8
  %23 = getelementptr inbounds i64, ptr %22, i64 %21
  %24 = load i64, ptr %23, align 8
  %25 = load ptr, ptr %8, align 8
  %26 = getelementptr inbounds i8, ptr %25, i64 %21
  %27 = load i8, ptr %26, align 1
  %28 = icmp eq i8 %27, 0
  br i1 %28, label %29, label %377

29:                                               ; preds = %20
  %30 = load ptr, ptr %9, align 8
  %31 = load ptr, ptr %10, align 8
  %32 = getelementptr inbounds i64, ptr %31, i64 %21
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr i8, ptr %32, i64 8
  %35 = load i64, ptr %34, align 8
  %36 = add i64 %35, -1
  %37 = load i64, ptr %11, align 8
  %38 = icmp sgt i64 %37, 0
  br i1 %38, label %39, label %67

39:                                               ; preds = %29, %373
  %40 = phi i64 [ %375, %373 ], [ %37, %29 ]
  %41 = phi i64 [ %374, %373 ], [ %24, %29 ]
  %42 = phi i64 [ %103, %373 ], [ %33, %29 ]
  %43 = load ptr, ptr %12, align 8
  %44 = load i64, ptr %0, align 8
  %45 = getelementptr i64, ptr %43, i64 %21
  br label %48

46:                                               ; preds = %63
  %47 = icmp slt i64 %64, 0
  br i1 %47, label %67, label %96

48:                                               ; preds = %63, %39
  %49 = phi i64 [ -1, %39 ], [ %64, %63 ]
  %50 = phi i64 [ 0, %39 ], [ %65, %63 ]
  %51 = mul i64 %50, %44
  %52 = getelementptr i64, ptr %45, i64 %51
  %53 = load i64, ptr %52, align 8
  %54 = icmp slt i64 %53, %42
  br i1 %54, label %63, label %55

55:                                               ; preds = %48
  %56 = icmp slt i64 %49, 0
  br i1 %56, label %62, label %57

57:                                               ; preds = %55
  %58 = mul i64 %49, %44
  %59 = getelementptr i64, ptr %45, i64 %58
  %60 = load i64, ptr %59, align 8
  %61 = icmp slt i64 %53, %60
  br i1 %61, label %62, label %63

62:                                               ; preds = %57, %55
  br label %63

63:                                               ; preds = %62, %57, %48
  %64 = phi i64 [ %50, %62 ], [ %49, %57 ], [ %49, %48 ]
  %65 = add i64 %50, 1
  %66 = icmp eq i64 %65, %40
  br i1 %66, label %46, label %48

67:                                               ; preds = %373, %46, %29
  %68 = phi i64 [ %33, %29 ], [ %42, %46 ], [ %103, %373 ]
  %69 = phi i64 [ %24, %29 ], [ %41, %46 ], [ %374, %373 ]
  %70 = load ptr, ptr %14, align 8
  %71 = sub i64 %36, %68
  %72 = icmp sgt i64 %71, 7
  br i1 %72, label %77, label %73

73:                                               ; preds = %77, %67
  %74 = phi i64 [ %68, %67 ], [ %83, %77 ]
  %75 = phi i64 [ %69, %67 ], [ %84, %77 ]
  %76 = icmp slt i64 %74, %36
  br i1 %76, label %87, label %377

77:                                               ; preds = %67, %77
  %78 = phi i64 [ %84, %77 ], [ %69, %67 ]
  %79 = phi i64 [ %83, %77 ], [ %68, %67 ]
  %80 = getelementptr inbounds i8, ptr %70, i64 %78
  %81 = getelementptr inbounds i8, ptr %30, i64 %79
  %82 = load i64, ptr %81, align 1
  store i64 %82, ptr %80, align 1
  %83 = add i64 %79, 8
  %84 = add i64 %78, 8
  %85 = sub i64 %36, %83
  %86 = icmp sgt i64 %85, 7
  br i1 %86, label %77, label %73

87:                                               ; preds = %73, %87
  %88 = phi i64 [ %92, %87 ], [ %75, %73 ]
  %89 = phi i64 [ %94, %87 ], [ %74, %73 ]
  %90 = getelementptr inbounds i8, ptr %30, i64 %89
  %91 = load i8, ptr %90, align 1
  %92 = add i64 %88, 1
  %93 = getelementptr inbounds i8, ptr %70, i64 %88
  store i8 %91, ptr %93, align 1
  %94 = add i64 %89, 1
  %95 = icmp eq i64 %94, %36
  br i1 %95, label %377, label %87

96:                                               ; preds = %46
  %97 = mul i64 %64, %44
  %98 = add i64 %97, %21
  %99 = getelementptr inbounds i64, ptr %43, i64 %98
  %100 = load i64, ptr %99, align 8
  %101 = load ptr, ptr %13, align 8
  %102 = getelementptr inbounds i64, ptr %101, i64 %98
  %103 = load i64, ptr %102, align 8
  %104 = load ptr, ptr %14, align 8
  %105 = sub i64 %100, %42
  %106 = icmp sgt i64 %105, 7
  br i1 %106, label %111, label %107

107:                                              ; preds = %111, %96
  %108 = phi i64 [ %42, %96 ], [ %117, %111 ]
  %109 = phi i64 [ %41, %96 ], [ %118, %111 ]
  %110 = icmp slt i64 %108, %100
  br i1 %110, label %121, label %130

111:                                              ; preds = %96, %111
  %112 = phi i64 [ %118, %111 ], [ %41, %96 ]
  %113 = phi i64 [ %117, %111 ], [ %42, %96 ]
  %114 = getelementptr inbounds i8, ptr %104, i64 %112
  %115 = getelementptr inbounds i8, ptr %30, i64 %113
  %116 = load i64, ptr %115, align 1
  store i64 %116, ptr %114, align 1
  %117 = add i64 %113, 8
  %118 = add i64 %112, 8
  %119 = sub i64 %100, %117
  %120 = icmp sgt i64 %119, 7
  br i1 %120, label %111, label %107

121:                                              ; preds = %107, %121
  %122 = phi i64 [ %126, %121 ], [ %109, %107 ]
  %123 = phi i64 [ %128, %121 ], [ %108, %107 ]
  %124 = getelementptr inbounds i8, ptr %30, i64 %123
  %125 = load i8, ptr %124, align 1
  %126 = add i64 %122, 1
  %127 = getelementptr inbounds i8, ptr %104, i64 %122
  store i8 %125, ptr %127, align 1
  %128 = add i64 %123, 1
  %129 = icmp eq i64 %128, %100
  br i1 %129, label %130, label %121

130:                                              ; preds = %121, %107
  %131 = phi i64 [ %109, %107 ], [ %126, %121 ]
  %132 = getelementptr inbounds i8, ptr %30, i64 %100
  %133 = load i8, ptr %132, align 1
  %134 = icmp eq i8 %133, 110
  br i1 %134, label %135, label %164

135:                                              ; preds = %130
  %136 = load ptr, ptr %14, align 8
  %137 = sub i64 %103, %100
  %138 = icmp sgt i64 %137, 7
  br i1 %138, label %143, label %139

139:                                              ; preds = %143, %135
  %140 = phi i64 [ %100, %135 ], [ %149, %143 ]
  %141 = phi i64 [ %131, %135 ], [ %150, %143 ]
  %142 = icmp slt i64 %140, %103
  br i1 %142, label %153, label %162

143:                                              ; preds = %135, %143
  %144 = phi i64 [ %150, %143 ], [ %131, %135 ]
  %145 = phi i64 [ %149, %143 ], [ %100, %135 ]
  %146 = getelementptr inbounds i8, ptr %136, i64 %144
  %147 = getelementptr inbounds i8, ptr %30, i64 %145
  %148 = load i64, ptr %147, align 1
  store i64 %148, ptr %146, align 1
  %149 = add i64 %145, 8
  %150 = add i64 %144, 8
  %151 = sub i64 %103, %149
  %152 = icmp sgt i64 %151, 7
  br i1 %152, label %143, label %139

153:                                              ; preds = %139, %153
  %154 = phi i64 [ %158, %153 ], [ %141, %139 ]
  %155 = phi i64 [ %160, %153 ], [ %140, %139 ]
  %156 = getelementptr inbounds i8, ptr %30, i64 %155
  %157 = load i8, ptr %156, align 1
  %158 = add i64 %154, 1
  %159 = getelementptr inbounds i8, ptr %136, i64 %154
  store i8 %157, ptr %159, align 1
  %160 = add i64 %155, 1
  %161 = icmp eq i64 %160, %103
  br i1 %161, label %162, label %153

162:                                              ; preds = %153, %139
  %163 = phi i64 [ %141, %139 ], [ %158, %153 ]
  br label %373

164:                                              ; preds = %130
  %165 = load ptr, ptr %15, align 8
  %166 = getelementptr inbounds i64, ptr %165, i64 %21
  store i64 %64, ptr %166, align 8
  %167 = load i8, ptr %132, align 1
  %168 = icmp eq i8 %167, 34
  br i1 %168, label %169, label %380

169:                                              ; preds = %164
  %170 = load ptr, ptr %14, align 8
  %171 = add i64 %100, 1
  %172 = add i64 %103, -1
  %173 = icmp slt i64 %171, %172
  br i1 %173, label %174, label %340

174:                                              ; preds = %169, %334
  %175 = phi i64 [ %335, %334 ], [ %171, %169 ]
  %176 = phi i64 [ %336, %334 ], [ %131, %169 ]
  %177 = sub i64 %172, %175
  %178 = icmp sgt i64 %177, 7
  br i1 %178, label %179, label %196

179:                                              ; preds = %174, %190
  %180 = phi i64 [ %193, %190 ], [ %176, %174 ]
  %181 = phi i64 [ %192, %190 ], [ %175, %174 ]
  %182 = getelementptr inbounds i8, ptr %30, i64 %181
  %183 = load i64, ptr %182, align 1
  %184 = xor i64 %183, 6655295901103053916
  %185 = add i64 %184, -72340172838076673
  %186 = and i64 %183, -9187201950435737472
  %187 = xor i64 %186, -9187201950435737472
  %188 = and i64 %187, %185
  %189 = icmp eq i64 %188, 0
  br i1 %189, label %190, label %196

190:                                              ; preds = %179
  %191 = getelementptr inbounds i8, ptr %170, i64 %180
  store i64 %183, ptr %191, align 1
  %192 = add i64 %181, 8
  %193 = add i64 %180, 8
  %194 = sub i64 %172, %192
  %195 = icmp sgt i64 %194, 7
  br i1 %195, label %179, label %196

196:                                              ; preds = %190, %179, %174
  %197 = phi i64 [ %175, %174 ], [ %192, %190 ], [ %181, %179 ]
  %198 = phi i64 [ %176, %174 ], [ %193, %190 ], [ %180, %179 ]
  %199 = icmp slt i64 %197, %172
  br i1 %199, label %200, label %338

200:                                              ; preds = %196, %206
  %201 = phi i64 [ %208, %206 ], [ %198, %196 ]
  %202 = phi i64 [ %207, %206 ], [ %197, %196 ]
  %203 = getelementptr i8, ptr %30, i64 %202
  %204 = load i8, ptr %203, align 1
  %205 = icmp eq i8 %204, 92
  br i1 %205, label %211, label %206

206:                                              ; preds = %200
  %207 = add i64 %202, 1
  %208 = add i64 %201, 1
  %209 = getelementptr inbounds i8, ptr %170, i64 %201
  store i8 %204, ptr %209, align 1
  %210 = icmp eq i64 %207, %172
  br i1 %210, label %338, label %200

211:                                              ; preds = %200
  %212 = getelementptr i8, ptr %30, i64 %202
  %213 = getelementptr i8, ptr %212, i64 1
  %214 = load i8, ptr %213, align 1
  %215 = add i64 %202, 2
  switch i8 %214, label %303 [
    i8 117, label %220
    i8 98, label %304
    i8 102, label %217
    i8 110, label %218
    i8 114, label %219
    i8 116, label %216
  ]

216:                                              ; preds = %211
  br label %304

217:                                              ; preds = %211
  br label %304

218:                                              ; preds = %211
  br label %304

219:                                              ; preds = %211
  br label %304

220:                                              ; preds = %211
  %221 = getelementptr inbounds i8, ptr %30, i64 %215
  br label %222

222:                                              ; preds = %222, %220
  %223 = phi i64 [ 0, %220 ], [ %235, %222 ]
  %224 = phi i32 [ 0, %220 ], [ %234, %222 ]
  %225 = shl i32 %224, 4
  %226 = getelementptr inbounds i8, ptr %221, i64 %223
  %227 = load i8, ptr %226, align 1
  %228 = zext i8 %227 to i32
  %229 = icmp ult i8 %227, 58
  %230 = add i32 %228, -48
  %231 = or i32 %228, 32
  %232 = add i32 %231, -87
  %233 = select i1 %229, i32 %230, i32 %232
  %234 = add i32 %233, %225
  %235 = add i64 %223, 1
  %236 = icmp eq i64 %235, 4
  br i1 %236, label %237, label %222

237:                                              ; preds = %222
  %238 = add i64 %202, 6
  %239 = icmp ult i32 %234, 128
  br i1 %239, label %240, label %242

240:                                              ; preds = %237
  %241 = trunc i32 %234 to i8
  store i8 %241, ptr %2, align 1
  br label %322

242:                                              ; preds = %237
  %243 = icmp ult i32 %234, 2048
  br i1 %243, label %244, label %251

244:                                              ; preds = %242
  %245 = lshr i32 %234, 6
  %246 = trunc i32 %245 to i8
  %247 = or i8 %246, -64
  store i8 %247, ptr %2, align 1
  %248 = trunc i32 %234 to i8
  %249 = and i8 %248, 63
  %250 = or i8 %249, -128
  store i8 %250, ptr %16, align 1
  br label %322

251:                                              ; preds = %242
  %252 = and i32 %234, -1024
  %253 = icmp eq i32 %252, 55296
  br i1 %253, label %254, label %308

254:                                              ; preds = %251
  %255 = getelementptr inbounds i8, ptr %30, i64 %238
  %256 = load i8, ptr %255, align 1
  %257 = icmp eq i8 %256, 92
  br i1 %257, label %258, label %308

258:                                              ; preds = %254
  %259 = getelementptr i8, ptr %221, i64 5
  %260 = load i8, ptr %259, align 1
  %261 = icmp eq i8 %260, 117
  br i1 %261, label %262, label %308

262:                                              ; preds = %258
  %263 = getelementptr inbounds i8, ptr %255, i64 2
  br label %264

264:                                              ; preds = %264, %262
  %265 = phi i64 [ 0, %262 ], [ %277, %264 ]
  %266 = phi i32 [ 0, %262 ], [ %276, %264 ]
  %267 = shl i32 %266, 4
  %268 = getelementptr inbounds i8, ptr %263, i64 %265
  %269 = load i8, ptr %268, align 1
  %270 = zext i8 %269 to i32
  %271 = icmp ult i8 %269, 58
  %272 = add i32 %270, -48
  %273 = or i32 %270, 32
  %274 = add i32 %273, -87
  %275 = select i1 %271, i32 %272, i32 %274
  %276 = add i32 %275, %267
  %277 = add i64 %265, 1
  %278 = icmp eq i64 %277, 4
  br i1 %278, label %279, label %264

279:                                              ; preds = %264
  %280 = and i32 %276, -1024
  %281 = icmp eq i32 %280, 56320
  br i1 %281, label %282, label %308

282:                                              ; preds = %279
  %283 = add i64 %202, 12
  %284 = shl i32 %234, 10
  %285 = and i32 %284, 1047552
  %286 = and i32 %276, 1023
  %287 = or i32 %286, %285
  %288 = add i32 %287, 65536
  %289 = lshr i32 %288, 18
  %290 = trunc i32 %289 to i8
  %291 = or i8 %290, -16
  store i8 %291, ptr %2, align 1
  %292 = lshr i32 %288, 12
  %293 = trunc i32 %292 to i8
  %294 = and i8 %293, 63
  %295 = or i8 %294, -128
  store i8 %295, ptr %16, align 1
  %296 = lshr i32 %287, 6
  %297 = trunc i32 %296 to i8
  %298 = and i8 %297, 63
  %299 = or i8 %298, -128
  store i8 %299, ptr %17, align 1
  %300 = trunc i32 %276 to i8
  %301 = and i8 %300, 63
  %302 = or i8 %301, -128
  store i8 %302, ptr %18, align 1
  br label %322

303:                                              ; preds = %211
  br label %304

304:                                              ; preds = %303, %219, %218, %217, %216, %211
  %305 = phi i8 [ %214, %303 ], [ 9, %216 ], [ 13, %219 ], [ 12, %217 ], [ 10, %218 ], [ 8, %211 ]
  %306 = add i64 %201, 1
  %307 = getelementptr inbounds i8, ptr %170, i64 %201
  store i8 %305, ptr %307, align 1
  br label %334

308:                                              ; preds = %279, %258, %254, %251
  %309 = lshr i32 %234, 12
  %310 = trunc i32 %309 to i8
  %311 = or i8 %310, -32
  store i8 %311, ptr %2, align 1
  %312 = lshr i32 %234, 6
  %313 = trunc i32 %312 to i8
  %314 = and i8 %313, 63
  %315 = or i8 %314, -128
  store i8 %315, ptr %16, align 1
  %316 = trunc i32 %234 to i8
  %317 = and i8 %316, 63
  %318 = or i8 %317, -128
  store i8 %318, ptr %17, align 1
  %319 = icmp eq i8 %311, -19
  %320 = icmp ugt i8 %315, -97
  %321 = select i1 %319, i1 %320, i1 false
  br i1 %321, label %338, label %322

322:                                              ; preds = %308, %282, %244, %240
  %323 = phi i64 [ %283, %282 ], [ %238, %308 ], [ %238, %240 ], [ %238, %244 ]
  %324 = phi i64 [ 4, %282 ], [ 3, %308 ], [ 1, %240 ], [ 2, %244 ]
  br label %325

325:                                              ; preds = %325, %322
  %326 = phi i64 [ %332, %325 ], [ 0, %322 ]
  %327 = phi i64 [ %330, %325 ], [ %201, %322 ]
  %328 = getelementptr inbounds i8, ptr %2, i64 %326
  %329 = load i8, ptr %328, align 1
  %330 = add i64 %327, 1
  %331 = getelementptr inbounds i8, ptr %170, i64 %327
  store i8 %329, ptr %331, align 1
  %332 = add i64 %326, 1
  %333 = icmp eq i64 %332, %324
  br i1 %333, label %334, label %325

334:                                              ; preds = %325, %304
  %335 = phi i64 [ %215, %304 ], [ %323, %325 ]
  %336 = phi i64 [ %306, %304 ], [ %330, %325 ]
  %337 = icmp slt i64 %335, %172
  br i1 %337, label %174, label %340

338:                                              ; preds = %308, %196, %206
  %339 = phi i64 [ %208, %206 ], [ -1, %308 ], [ %198, %196 ]
  br label %340

340:                                              ; preds = %334, %338, %169
  %341 = phi i64 [ %131, %169 ], [ %339, %338 ], [ %336, %334 ]
  %342 = icmp slt i64 %341, 0
  br i1 %342, label %380, label %343

343:                                              ; preds = %340
  %344 = load ptr, ptr %14, align 8
  %345 = icmp slt i64 %131, %341
  br i1 %345, label %346, label %353

346:                                              ; preds = %343, %350
  %347 = phi i64 [ %351, %350 ], [ %131, %343 ]
  %348 = getelementptr inbounds i8, ptr %344, i64 %347
  %349 = load i8, ptr %348, align 1
  switch i8 %349, label %353 [
    i8 32, label %350
    i8 13, label %350
    i8 9, label %350
    i8 10, label %350
  ]

350:                                              ; preds = %346, %346, %346, %346
  %351 = add i64 %347, 1
  %352 = icmp eq i64 %351, %341
  br i1 %352, label %353, label %346

353:                                              ; preds = %350, %346, %343
  %354 = phi i64 [ %131, %343 ], [ %347, %346 ], [ %341, %350 ]
  %355 = call fastcc i64 @end_of_value(ptr %0, ptr %344, i64 %354, i64 %341)
  %356 = icmp slt i64 %355, 0
  br i1 %356, label %380, label %357

357:                                              ; preds = %353
  %358 = load ptr, ptr %14, align 8
  %359 = icmp slt i64 %355, %341
  br i1 %359, label %360, label %367

360:                                              ; preds = %357, %364
  %361 = phi i64 [ %365, %364 ], [ %355, %357 ]
  %362 = getelementptr inbounds i8, ptr %358, i64 %361
  %363 = load i8, ptr %362, align 1
  switch i8 %363, label %367 [
    i8 32, label %364
    i8 13, label %364
    i8 9, label %364
    i8 10, label %364
  ]

364:                                              ; preds = %360, %360, %360, %360
  %365 = add i64 %361, 1
  %366 = icmp eq i64 %365, %341
  br i1 %366, label %370, label %360

367:                                              ; preds = %360, %357
  %368 = phi i64 [ %355, %357 ], [ %361, %360 ]
  %369 = icmp eq i64 %368, %341
  br i1 %369, label %370, label %380

370:                                              ; preds = %364, %367
  %371 = load ptr, ptr %15, align 8
  %372 = getelementptr inbounds i64, ptr %371, i64 %21
  store i64 -1, ptr %372, align 8
  br label %373

373:                                              ; preds = %370, %162
  %374 = phi i64 [ %341, %370 ], [ %163, %162 ]
  %375 = load i64, ptr %11, align 8
  %376 = icmp sgt i64 %375, 0
  br i1 %376, label %39, label %67

377:                                              ; preds = %87, %73, %20
  %378 = phi i64 [ %24, %20 ], [ %75, %73 ], [ %92, %87 ]
  %379 = icmp slt i64 %378, 0
  br i1 %379, label %380, label %386

380:                                              ; preds = %353, %367, %340, %164, %377
  %381 = phi i64 [ %378, %377 ], [ -5, %164 ], [ -6, %340 ], [ -6, %367 ], [ -6, %353 ]
  %382 = trunc i64 %381 to i8
  %383 = xor i8 %382, -1
  %384 = load ptr, ptr %8, align 8
  %385 = getelementptr inbounds i8, ptr %384, i64 %21
  store i8 %383, ptr %385, align 1
  br label %386

386:                                              ; preds = %380, %377
  %387 = phi i64 [ %24, %380 ], [ %378, %377 ]
  %388 = load ptr, ptr %14, align 8
  %389 = add i64 %387, 1
  %390 = getelementptr inbounds i8, ptr %388, i64 %387
  store i8 10, ptr %390, align 1
  %391 = load ptr, ptr %3, align 8
  %392 = add i64 %21, 1
  %393 = getelementptr inbounds i64, ptr %391, i64 %392
  store i64 %389, ptr %393, align 8
  %394 = load i64, ptr %0, align 8
  %395 = icmp slt i64 %392, %394
  br i1 %395, label %20, label %19
}

define i64 @flatten_records(ptr %0, i64 %1) {
  %3 = alloca i32, align 4
  %4 = getelementptr inbounds i8, ptr %0, i64 48
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds i64, ptr %5, i64 %1
  store i64 0, ptr %6, align 8
  %7 = load i64, ptr %0, align 8
  %8 = icmp slt i64 %1, %7
  br i1 %8, label %9, label %389

9:                                                ; preds = %2
  %10 = getelementptr inbounds i8, ptr %0, i64 40
  %11 = getelementptr inbounds i8, ptr %0, i64 136
  %12 = getelementptr inbounds i8, ptr %0, i64 24
  %13 = getelementptr inbounds i8, ptr %0, i64 16
  %14 = getelementptr inbounds i8, ptr %0, i64 8
  %15 = getelementptr inbounds i8, ptr %0, i64 32
  %16 = getelementptr inbounds i8, ptr %0, i64 64
  %17 = getelementptr inbounds i8, ptr %0, i64 128
  %18 = getelementptr inbounds i8, ptr %0, i64 72
  %19 = getelementptr inbounds i8, ptr %0, i64 120
  %20 = getelementptr inbounds i8, ptr %0, i64 112
  br label %21

21:                                               ; preds = %9, %378
  %22 = phi i64 [ %1, %9 ], [ %386, %378 ]
  %23 = phi i64 [ 0, %9 ], [ %381, %378 ]
  %24 = load i64, ptr %10, align 8
  %25 = icmp slt i64 %23, %24
  br i1 %25, label %26, label %389

26:                                               ; preds = %21
  %27 = add i64 %24, -1
  %28 = sub i64 %27, %23
  %29 = load i64, ptr %11, align 8
  %30 = icmp sge i64 %28, %29
  %31 = add i64 %29, %23
  %32 = select i1 %30, i64 %31, i64 %27
  %33 = load ptr, ptr %12, align 8
  %34 = getelementptr inbounds i8, ptr %33, i64 %22
  %35 = load i8, ptr %34, align 1
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %37, label %369

37:                                               ; preds = %26
  %38 = load ptr, ptr %13, align 8
  %39 = getelementptr inbounds i64, ptr %38, i64 %22
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr i8, ptr %39, i64 8
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %14, align 8
  %45 = icmp slt i64 %40, %43
  br i1 %45, label %46, label %53

46:                                               ; preds = %37, %50
  %47 = phi i64 [ %51, %50 ], [ %40, %37 ]
  %48 = getelementptr inbounds i8, ptr %44, i64 %47
  %49 = load i8, ptr %48, align 1
  switch i8 %49, label %53 [
    i8 32, label %50
    i8 13, label %50
    i8 9, label %50
    i8 10, label %50
  ]

50:                                               ; preds = %46, %46, %46, %46
  %51 = add i64 %47, 1
  %52 = icmp eq i64 %51, %43
  br i1 %52, label %363, label %46

53:                                               ; preds = %46, %37
  %54 = phi i64 [ %40, %37 ], [ %47, %46 ]
  %55 = icmp slt i64 %54, %43
  br i1 %55, label %56, label %363

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %44, i64 %54
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 123
  br i1 %59, label %60, label %363

60:                                               ; preds = %56
  %61 = add i64 %54, 1
  %62 = icmp slt i64 %61, %43
  br i1 %62, label %63, label %70

63:                                               ; preds = %60, %67
  %64 = phi i64 [ %68, %67 ], [ %61, %60 ]
  %65 = getelementptr inbounds i8, ptr %44, i64 %64
  %66 = load i8, ptr %65, align 1
  switch i8 %66, label %70 [
    i8 32, label %67
    i8 13, label %67
    i8 9, label %67
    i8 10, label %67
  ]

67:                                               ; preds = %63, %63, %63, %63
  %68 = add i64 %64, 1
  %69 = icmp eq i64 %68, %43
  br i1 %69, label %363, label %63

70:                                               ; preds = %63, %60
  %71 = phi i64 [ %61, %60 ], [ %64, %63 ]
  %72 = icmp slt i64 %71, %43
  br i1 %72, label %73, label %363

73:                                               ; preds = %70
  %74 = sub i64 %32, %23
  %75 = icmp slt i64 %74, 2
  br i1 %75, label %365, label %76

76:                                               ; preds = %73
  %77 = load ptr, ptr %15, align 8
  %78 = add i64 %23, 1
  %79 = getelementptr inbounds i8, ptr %77, i64 %23
  store i8 123, ptr %79, align 1
  %80 = getelementptr inbounds i8, ptr %44, i64 %71
  %81 = load i8, ptr %80, align 1
  %82 = icmp eq i8 %81, 125
  %83 = sext i1 %82 to i64
  %84 = zext i1 %82 to i64
  %85 = add i64 %71, %84
  br label %86

86:                                               ; preds = %344, %76
  %87 = phi i64 [ %78, %76 ], [ %310, %344 ]
  %88 = phi i64 [ %83, %76 ], [ %345, %344 ]
  %89 = phi i1 [ false, %76 ], [ true, %344 ]
  %90 = phi i64 [ %85, %76 ], [ %346, %344 ]
  %91 = icmp sgt i64 %88, -1
  br label %92

92:                                               ; preds = %164, %86
  %93 = phi i64 [ %165, %164 ], [ %88, %86 ]
  %94 = phi i64 [ %158, %164 ], [ %90, %86 ]
  br i1 %91, label %95, label %347

95:                                               ; preds = %92
  %96 = icmp slt i64 %94, %43
  br i1 %96, label %97, label %363

97:                                               ; preds = %95
  %98 = getelementptr inbounds i8, ptr %44, i64 %94
  %99 = load i8, ptr %98, align 1
  %100 = icmp eq i8 %99, 34
  br i1 %100, label %101, label %363

101:                                              ; preds = %97
  %102 = add i64 %94, 1
  %103 = load ptr, ptr %16, align 8
  %104 = getelementptr inbounds %struct.name, ptr %103, i64 %93
  store i64 %102, ptr %104, align 8
  %105 = call fastcc i64 @end_of_string(ptr %44, i64 %102, i64 %43, ptr %3)
  %106 = icmp slt i64 %105, 0
  br i1 %106, label %363, label %107

107:                                              ; preds = %101
  %108 = add i64 %105, -1
  %109 = load ptr, ptr %16, align 8
  %110 = getelementptr inbounds %struct.name, ptr %109, i64 %93
  %111 = getelementptr inbounds i8, ptr %110, i64 8
  store i64 %108, ptr %111, align 8
  %112 = icmp slt i64 %105, %43
  br i1 %112, label %113, label %120

113:                                              ; preds = %107, %117
  %114 = phi i64 [ %118, %117 ], [ %105, %107 ]
  %115 = getelementptr inbounds i8, ptr %44, i64 %114
  %116 = load i8, ptr %115, align 1
  switch i8 %116, label %120 [
    i8 32, label %117
    i8 13, label %117
    i8 9, label %117
    i8 10, label %117
  ]

117:                                              ; preds = %113, %113, %113, %113
  %118 = add i64 %114, 1
  %119 = icmp eq i64 %118, %43
  br i1 %119, label %363, label %113

120:                                              ; preds = %113, %107
  %121 = phi i64 [ %105, %107 ], [ %114, %113 ]
  %122 = icmp slt i64 %121, %43
  br i1 %122, label %123, label %363

123:                                              ; preds = %120
  %124 = getelementptr inbounds i8, ptr %44, i64 %121
  %125 = load i8, ptr %124, align 1
  %126 = icmp eq i8 %125, 58
  br i1 %126, label %127, label %363

127:                                              ; preds = %123
  %128 = add i64 %121, 1
  %129 = icmp slt i64 %128, %43
  br i1 %129, label %130, label %137

130:                                              ; preds = %127, %134
  %131 = phi i64 [ %135, %134 ], [ %128, %127 ]
  %132 = getelementptr inbounds i8, ptr %44, i64 %131
  %133 = load i8, ptr %132, align 1
  switch i8 %133, label %137 [
    i8 32, label %134
    i8 13, label %134
    i8 9, label %134
    i8 10, label %134
  ]

134:                                              ; preds = %130, %130, %130, %130
  %135 = add i64 %131, 1
  %136 = icmp eq i64 %135, %43
  br i1 %136, label %363, label %130

137:                                              ; preds = %130, %127
  %138 = phi i64 [ %128, %127 ], [ %131, %130 ]
  %139 = icmp slt i64 %138, %43
  br i1 %139, label %140, label %363

140:                                              ; preds = %137
  %141 = getelementptr inbounds i8, ptr %44, i64 %138
  %142 = load i8, ptr %141, align 1
  %143 = icmp eq i8 %142, 123
  br i1 %143, label %144, label %168

144:                                              ; preds = %140
  %145 = load i64, ptr %17, align 8
  %146 = icmp slt i64 %93, %145
  br i1 %146, label %147, label %168

147:                                              ; preds = %144
  %148 = add i64 %138, 1
  %149 = icmp slt i64 %148, %43
  br i1 %149, label %150, label %157

150:                                              ; preds = %147, %154
  %151 = phi i64 [ %155, %154 ], [ %148, %147 ]
  %152 = getelementptr inbounds i8, ptr %44, i64 %151
  %153 = load i8, ptr %152, align 1
  switch i8 %153, label %157 [
    i8 32, label %154
    i8 13, label %154
    i8 9, label %154
    i8 10, label %154
  ]

154:                                              ; preds = %150, %150, %150, %150
  %155 = add i64 %151, 1
  %156 = icmp eq i64 %155, %43
  br i1 %156, label %168, label %150

157:                                              ; preds = %150, %147
  %158 = phi i64 [ %148, %147 ], [ %151, %150 ]
  %159 = icmp slt i64 %158, %43
  br i1 %159, label %160, label %168

160:                                              ; preds = %157
  %161 = getelementptr inbounds i8, ptr %44, i64 %158
  %162 = load i8, ptr %161, align 1
  %163 = icmp eq i8 %162, 125
  br i1 %163, label %168, label %164

164:                                              ; preds = %160
  %165 = add i64 %93, 1
  %166 = load i64, ptr %18, align 8
  %167 = icmp slt i64 %165, %166
  br i1 %167, label %92, label %363

168:                                              ; preds = %160, %157, %144, %140, %154
  %169 = call fastcc i64 @end_of_value(ptr %0, ptr %44, i64 %138, i64 %43)
  %170 = icmp slt i64 %169, 0
  br i1 %170, label %365, label %171

171:                                              ; preds = %168
  %172 = load ptr, ptr %14, align 8
  %173 = sub i64 %169, %138
  %174 = add i64 %173, 4
  %175 = load ptr, ptr %16, align 8
  br label %180

176:                                              ; preds = %190
  %177 = xor i64 %87, -1
  %178 = add i64 %32, %177
  %179 = icmp slt i64 %178, %194
  br i1 %179, label %365, label %197

180:                                              ; preds = %190, %171
  %181 = phi i64 [ 0, %171 ], [ %195, %190 ]
  %182 = phi i64 [ %174, %171 ], [ %194, %190 ]
  %183 = getelementptr inbounds %struct.name, ptr %175, i64 %181
  %184 = getelementptr inbounds i8, ptr %183, i64 8
  %185 = load i64, ptr %184, align 8
  %186 = load i64, ptr %183, align 8
  %187 = icmp eq i64 %181, 0
  br i1 %187, label %190, label %188

188:                                              ; preds = %180
  %189 = load i64, ptr %19, align 8
  br label %190

190:                                              ; preds = %188, %180
  %191 = phi i64 [ %189, %188 ], [ 0, %180 ]
  %192 = add i64 %185, %182
  %193 = sub i64 %192, %186
  %194 = add i64 %193, %191
  %195 = add i64 %181, 1
  %196 = icmp eq i64 %181, %93
  br i1 %196, label %176, label %180

197:                                              ; preds = %176
  br i1 %89, label %198, label %202

198:                                              ; preds = %197
  %199 = load ptr, ptr %15, align 8
  %200 = add i64 %87, 1
  %201 = getelementptr inbounds i8, ptr %199, i64 %87
  store i8 44, ptr %201, align 1
  br label %202

202:                                              ; preds = %198, %197
  %203 = phi i64 [ %87, %197 ], [ %200, %198 ]
  %204 = load ptr, ptr %15, align 8
  %205 = getelementptr inbounds i8, ptr %204, i64 %203
  store i8 34, ptr %205, align 1
  %206 = add i64 %203, 1
  br label %240

207:                                              ; preds = %305
  %208 = load ptr, ptr %15, align 8
  %209 = getelementptr inbounds i8, ptr %208, i64 %306
  store i8 34, ptr %209, align 1
  %210 = load ptr, ptr %15, align 8
  %211 = add i64 %306, 2
  %212 = getelementptr i8, ptr %210, i64 %306
  %213 = getelementptr i8, ptr %212, i64 1
  store i8 58, ptr %213, align 1
  %214 = load ptr, ptr %15, align 8
  %215 = icmp sgt i64 %173, 7
  br i1 %215, label %216, label %218

216:                                              ; preds = %207
  %217 = add i64 %169, -7
  br label %222

218:                                              ; preds = %222, %207
  %219 = phi i64 [ %138, %207 ], [ %228, %222 ]
  %220 = phi i64 [ %211, %207 ], [ %229, %222 ]
  %221 = icmp slt i64 %219, %169
  br i1 %221, label %231, label %309

222:                                              ; preds = %222, %216
  %223 = phi i64 [ %229, %222 ], [ %211, %216 ]
  %224 = phi i64 [ %228, %222 ], [ %138, %216 ]
  %225 = getelementptr inbounds i8, ptr %214, i64 %223
  %226 = getelementptr inbounds i8, ptr %172, i64 %224
  %227 = load i64, ptr %226, align 1
  store i64 %227, ptr %225, align 1
  %228 = add i64 %224, 8
  %229 = add i64 %223, 8
  %230 = icmp slt i64 %228, %217
  br i1 %230, label %222, label %218

231:                                              ; preds = %218, %231
  %232 = phi i64 [ %236, %231 ], [ %220, %218 ]
  %233 = phi i64 [ %238, %231 ], [ %219, %218 ]
  %234 = getelementptr inbounds i8, ptr %172, i64 %233
  %235 = load i8, ptr %234, align 1
  %236 = add i64 %232, 1
  %237 = getelementptr inbounds i8, ptr %214, i64 %232
  store i8 %235, ptr %237, align 1
  %238 = add i64 %233, 1
  %239 = icmp eq i64 %238, %169
  br i1 %239, label %309, label %231

240:                                              ; preds = %305, %202
  %241 = phi i64 [ 0, %202 ], [ %307, %305 ]
  %242 = phi i64 [ %206, %202 ], [ %306, %305 ]
  %243 = icmp eq i64 %241, 0
  br i1 %243, label %272, label %244

244:                                              ; preds = %240
  %245 = load ptr, ptr %15, align 8
  %246 = load ptr, ptr %20, align 8
  %247 = load i64, ptr %19, align 8
  %248 = icmp sgt i64 %247, 7
  br i1 %248, label %253, label %249

249:                                              ; preds = %253, %244
  %250 = phi i64 [ 0, %244 ], [ %259, %253 ]
  %251 = phi i64 [ %242, %244 ], [ %260, %253 ]
  %252 = icmp slt i64 %250, %247
  br i1 %252, label %263, label %272

253:                                              ; preds = %244, %253
  %254 = phi i64 [ %260, %253 ], [ %242, %244 ]
  %255 = phi i64 [ %259, %253 ], [ 0, %244 ]
  %256 = getelementptr inbounds i8, ptr %245, i64 %254
  %257 = getelementptr inbounds i8, ptr %246, i64 %255
  %258 = load i64, ptr %257, align 1
  store i64 %258, ptr %256, align 1
  %259 = add i64 %255, 8
  %260 = add i64 %254, 8
  %261 = sub i64 %247, %259
  %262 = icmp sgt i64 %261, 7
  br i1 %262, label %253, label %249

263:                                              ; preds = %249, %263
  %264 = phi i64 [ %268, %263 ], [ %251, %249 ]
  %265 = phi i64 [ %270, %263 ], [ %250, %249 ]
  %266 = getelementptr inbounds i8, ptr %246, i64 %265
  %267 = load i8, ptr %266, align 1
  %268 = add i64 %264, 1
  %269 = getelementptr inbounds i8, ptr %245, i64 %264
  store i8 %267, ptr %269, align 1
  %270 = add i64 %265, 1
  %271 = icmp eq i64 %270, %247
  br i1 %271, label %272, label %263

272:                                              ; preds = %263, %249, %240
  %273 = phi i64 [ %242, %240 ], [ %251, %249 ], [ %268, %263 ]
  %274 = load ptr, ptr %15, align 8
  %275 = load ptr, ptr %16, align 8
  %276 = getelementptr inbounds %struct.name, ptr %275, i64 %241
  %277 = load i64, ptr %276, align 8
  %278 = getelementptr inbounds i8, ptr %276, i64 8
  %279 = load i64, ptr %278, align 8
  %280 = sub i64 %279, %277
  %281 = icmp sgt i64 %280, 7
  br i1 %281, label %286, label %282

282:                                              ; preds = %286, %272
  %283 = phi i64 [ %277, %272 ], [ %292, %286 ]
  %284 = phi i64 [ %273, %272 ], [ %293, %286 ]
  %285 = icmp slt i64 %283, %279
  br i1 %285, label %296, label %305

286:                                              ; preds = %272, %286
  %287 = phi i64 [ %293, %286 ], [ %273, %272 ]
  %288 = phi i64 [ %292, %286 ], [ %277, %272 ]
  %289 = getelementptr inbounds i8, ptr %274, i64 %287
  %290 = getelementptr inbounds i8, ptr %172, i64 %288
  %291 = load i64, ptr %290, align 1
  store i64 %291, ptr %289, align 1
  %292 = add i64 %288, 8
  %293 = add i64 %287, 8
  %294 = sub i64 %279, %292
  %295 = icmp sgt i64 %294, 7
  br i1 %295, label %286, label %282

296:                                              ; preds = %282, %296
  %297 = phi i64 [ %301, %296 ], [ %284, %282 ]
  %298 = phi i64 [ %303, %296 ], [ %283, %282 ]
  %299 = getelementptr inbounds i8, ptr %172, i64 %298
  %300 = load i8, ptr %299, align 1
  %301 = add i64 %297, 1
  %302 = getelementptr inbounds i8, ptr %274, i64 %297
  store i8 %300, ptr %302, align 1
  %303 = add i64 %298, 1
  %304 = icmp eq i64 %303, %279
  br i1 %304, label %305, label %296

305:                                              ; preds = %296, %282
  %306 = phi i64 [ %284, %282 ], [ %301, %296 ]
  %307 = add i64 %241, 1
  %308 = icmp eq i64 %241, %93
  br i1 %308, label %207, label %240

309:                                              ; preds = %231, %218
  %310 = phi i64 [ %220, %218 ], [ %236, %231 ]
  %311 = call i64 @llvm.smin.i64(i64 %93, i64 0)
  %312 = add i64 %311, -1
  br label %313

313:                                              ; preds = %340, %309
  %314 = phi i64 [ %342, %340 ], [ %93, %309 ]
  %315 = phi i64 [ %341, %340 ], [ %169, %309 ]
  %316 = icmp slt i64 %315, %43
  br i1 %316, label %317, label %324

317:                                              ; preds = %313, %321
  %318 = phi i64 [ %322, %321 ], [ %315, %313 ]
  %319 = getelementptr inbounds i8, ptr %44, i64 %318
  %320 = load i8, ptr %319, align 1
  switch i8 %320, label %324 [
    i8 32, label %321
    i8 13, label %321
    i8 9, label %321
    i8 10, label %321
  ]

321:                                              ; preds = %317, %317, %317, %317
  %322 = add i64 %318, 1
  %323 = icmp eq i64 %322, %43
  br i1 %323, label %363, label %317

324:                                              ; preds = %317, %313
  %325 = phi i64 [ %315, %313 ], [ %318, %317 ]
  %326 = icmp slt i64 %325, %43
  br i1 %326, label %327, label %363

327:                                              ; preds = %324
  %328 = getelementptr inbounds i8, ptr %44, i64 %325
  %329 = load i8, ptr %328, align 1
  switch i8 %329, label %363 [
    i8 44, label %330
    i8 125, label %340
  ]

330:                                              ; preds = %327
  %331 = add i64 %325, 1
  %332 = icmp slt i64 %331, %43
  br i1 %332, label %333, label %344

333:                                              ; preds = %330, %337
  %334 = phi i64 [ %338, %337 ], [ %331, %330 ]
  %335 = getelementptr inbounds i8, ptr %44, i64 %334
  %336 = load i8, ptr %335, align 1
  switch i8 %336, label %344 [
    i8 32, label %337
    i8 13, label %337
    i8 9, label %337
    i8 10, label %337
  ]

337:                                              ; preds = %333, %333, %333, %333
  %338 = add i64 %334, 1
  %339 = icmp eq i64 %338, %43
  br i1 %339, label %344, label %333

340:                                              ; preds = %327
  %341 = add i64 %325, 1
  %342 = add i64 %314, -1
  %343 = icmp slt i64 %314, 1
  br i1 %343, label %344, label %313

344:                                              ; preds = %340, %337, %333, %330
  %345 = phi i64 [ %314, %330 ], [ %314, %337 ], [ %314, %333 ], [ %312, %340 ]
  %346 = phi i64 [ %331, %330 ], [ %43, %337 ], [ %334, %333 ], [ %341, %340 ]
  br label %86

347:                                              ; preds = %92
  %348 = icmp slt i64 %90, %43
  br i1 %348, label %349, label %356

349:                                              ; preds = %347, %353
  %350 = phi i64 [ %354, %353 ], [ %90, %347 ]
  %351 = getelementptr inbounds i8, ptr %44, i64 %350
  %352 = load i8, ptr %351, align 1
  switch i8 %352, label %356 [
    i8 32, label %353
    i8 13, label %353
    i8 9, label %353
    i8 10, label %353
  ]

353:                                              ; preds = %349, %349, %349, %349
  %354 = add i64 %350, 1
  %355 = icmp eq i64 %354, %43
  br i1 %355, label %359, label %349

356:                                              ; preds = %349, %347
  %357 = phi i64 [ %90, %347 ], [ %350, %349 ]
  %358 = icmp eq i64 %357, %43
  br i1 %358, label %359, label %363

359:                                              ; preds = %353, %356
  %360 = load ptr, ptr %15, align 8
  %361 = add i64 %87, 1
  %362 = getelementptr inbounds i8, ptr %360, i64 %87
  store i8 125, ptr %362, align 1
  br label %365

363:                                              ; preds = %50, %67, %97, %137, %164, %120, %101, %95, %123, %324, %327, %117, %134, %321, %56, %356, %70, %53
  %364 = phi i64 [ -2, %134 ], [ -2, %56 ], [ -2, %67 ], [ -2, %324 ], [ -2, %53 ], [ -2, %356 ], [ -2, %321 ], [ -2, %70 ], [ -2, %117 ], [ -2, %137 ], [ -2, %327 ], [ -2, %123 ], [ -2, %95 ], [ -2, %101 ], [ -2, %120 ], [ -3, %164 ], [ -2, %97 ], [ -2, %50 ]
  br label %372

365:                                              ; preds = %176, %168, %359, %73
  %366 = phi i64 [ %361, %359 ], [ -7, %73 ], [ -7, %176 ], [ %169, %168 ]
  %367 = icmp ne i64 %366, -7
  %368 = or i1 %30, %367
  br i1 %368, label %369, label %389

369:                                              ; preds = %26, %365
  %370 = phi i64 [ %366, %365 ], [ %23, %26 ]
  %371 = icmp slt i64 %370, 0
  br i1 %371, label %372, label %378

372:                                              ; preds = %363, %369
  %373 = phi i64 [ %364, %363 ], [ %370, %369 ]
  %374 = trunc i64 %373 to i8
  %375 = xor i8 %374, -1
  %376 = load ptr, ptr %12, align 8
  %377 = getelementptr inbounds i8, ptr %376, i64 %22
  store i8 %375, ptr %377, align 1
  br label %378

378:                                              ; preds = %372, %369
  %379 = phi i64 [ %23, %372 ], [ %370, %369 ]
  %380 = load ptr, ptr %15, align 8
  %381 = add i64 %379, 1
  %382 = getelementptr inbounds i8, ptr %380, i64 %379
  store i8 10, ptr %382, align 1
  %383 = load ptr, ptr %4, align 8
  %384 = getelementptr i64, ptr %383, i64 %22
  %385 = getelementptr i8, ptr %384, i64 8
  store i64 %381, ptr %385, align 8
  %386 = add i64 %22, 1
  %387 = load i64, ptr %0, align 8
  %388 = icmp slt i64 %386, %387
  br i1 %388, label %21, label %389

389:                                              ; preds = %365, %21, %378, %2
  %390 = phi i64 [ %7, %2 ], [ %22, %365 ], [ %22, %21 ], [ %387, %378 ]
  ret i64 %390
}

define internal fastcc i64 @end_of_value(ptr %0, ptr %1, i64 %2, i64 %3) {
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = getelementptr inbounds i8, ptr %0, i64 56
  %8 = load ptr, ptr %7, align 8
  %9 = icmp slt i64 %2, %3
  br i1 %9, label %10, label %272

10:                                               ; preds = %4
  %11 = getelementptr inbounds i8, ptr %0, i64 72
  br label %12

12:                                               ; preds = %10, %268
  %13 = phi i64 [ 0, %10 ], [ %270, %268 ]
  %14 = phi i64 [ %2, %10 ], [ %269, %268 ]
  %15 = getelementptr inbounds i8, ptr %1, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = icmp eq i8 %16, 123
  switch i8 %16, label %44 [
    i8 123, label %18
    i8 91, label %18
  ]

18:                                               ; preds = %12, %12
  %19 = load i64, ptr %11, align 8
  %20 = icmp slt i64 %13, %19
  br i1 %20, label %21, label %272

21:                                               ; preds = %18
  %22 = add i64 %13, 1
  %23 = getelementptr inbounds i8, ptr %8, i64 %13
  store i8 %16, ptr %23, align 1
  %24 = add i64 %14, 1
  %25 = icmp slt i64 %24, %3
  br i1 %25, label %26, label %33

26:                                               ; preds = %21, %30
  %27 = phi i64 [ %31, %30 ], [ %24, %21 ]
  %28 = getelementptr inbounds i8, ptr %1, i64 %27
  %29 = load i8, ptr %28, align 1
  switch i8 %29, label %33 [
    i8 32, label %30
    i8 13, label %30
    i8 9, label %30
    i8 10, label %30
  ]

30:                                               ; preds = %26, %26, %26, %26
  %31 = add i64 %27, 1
  %32 = icmp eq i64 %31, %3
  br i1 %32, label %272, label %26

33:                                               ; preds = %26, %21
  %34 = phi i64 [ %24, %21 ], [ %27, %26 ]
  %35 = icmp slt i64 %34, %3
  br i1 %35, label %36, label %272

36:                                               ; preds = %33
  %37 = getelementptr inbounds i8, ptr %1, i64 %34
  %38 = load i8, ptr %37, align 1
  %39 = add i8 %16, 2
  %40 = icmp eq i8 %38, %39
  br i1 %40, label %42, label %41

41:                                               ; preds = %36
  br i1 %17, label %230, label %268

42:                                               ; preds = %36
  %43 = add i64 %34, 1
  br label %181

44:                                               ; preds = %12
  switch i8 %16, label %93 [
    i8 34, label %45
    i8 116, label %48
    i8 102, label %63
    i8 110, label %78
  ]

45:                                               ; preds = %44
  %46 = add i64 %14, 1
  %47 = call fastcc i64 @end_of_string(ptr %1, i64 %46, i64 %3, ptr %5)
  br label %178

48:                                               ; preds = %44
  %49 = sub i64 %3, %14
  %50 = icmp slt i64 %49, 4
  br i1 %50, label %177, label %54

51:                                               ; preds = %54
  %52 = add i64 %55, 1
  %53 = icmp eq i64 %52, 4
  br i1 %53, label %61, label %54

54:                                               ; preds = %48, %51
  %55 = phi i64 [ %52, %51 ], [ 0, %48 ]
  %56 = getelementptr i8, ptr %15, i64 %55
  %57 = load i8, ptr %56, align 1
  %58 = getelementptr inbounds i8, ptr @.str, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %57, %59
  br i1 %60, label %51, label %177

61:                                               ; preds = %51
  %62 = add i64 %14, 4
  br label %178

63:                                               ; preds = %44
  %64 = sub i64 %3, %14
  %65 = icmp slt i64 %64, 5
  br i1 %65, label %177, label %69

66:                                               ; preds = %69
  %67 = add i64 %70, 1
  %68 = icmp eq i64 %67, 5
  br i1 %68, label %76, label %69

69:                                               ; preds = %63, %66
  %70 = phi i64 [ %67, %66 ], [ 0, %63 ]
  %71 = getelementptr i8, ptr %15, i64 %70
  %72 = load i8, ptr %71, align 1
  %73 = getelementptr inbounds i8, ptr @.str.1, i64 %70
  %74 = load i8, ptr %73, align 1
  %75 = icmp eq i8 %72, %74
  br i1 %75, label %66, label %177

76:                                               ; preds = %66
  %77 = add i64 %14, 5
  br label %178

78:                                               ; preds = %44
  %79 = sub i64 %3, %14
  %80 = icmp slt i64 %79, 4
  br i1 %80, label %177, label %84

81:                                               ; preds = %84
  %82 = add i64 %85, 1
  %83 = icmp eq i64 %82, 4
  br i1 %83, label %91, label %84

84:                                               ; preds = %78, %81
  %85 = phi i64 [ %82, %81 ], [ 0, %78 ]
  %86 = getelementptr i8, ptr %15, i64 %85
  %87 = load i8, ptr %86, align 1
  %88 = getelementptr inbounds i8, ptr @.str.2, i64 %85
  %89 = load i8, ptr %88, align 1
  %90 = icmp eq i8 %87, %89
  br i1 %90, label %81, label %177

91:                                               ; preds = %81
  %92 = add i64 %14, 4
  br label %178

93:                                               ; preds = %44
  %94 = icmp eq i8 %16, 45
  %95 = zext i1 %94 to i64
  %96 = add i64 %14, %95
  %97 = icmp slt i64 %96, %3
  br i1 %97, label %98, label %177

98:                                               ; preds = %93
  %99 = getelementptr inbounds i8, ptr %1, i64 %96
  %100 = load i8, ptr %99, align 1
  %101 = icmp eq i8 %100, 48
  br i1 %101, label %102, label %104

102:                                              ; preds = %98
  %103 = add i64 %96, 1
  br label %119

104:                                              ; preds = %98
  %105 = add i8 %100, -58
  %106 = icmp ult i8 %105, -10
  br i1 %106, label %177, label %107

107:                                              ; preds = %104, %113
  %108 = phi i64 [ %114, %113 ], [ %96, %104 ]
  %109 = getelementptr inbounds i8, ptr %1, i64 %108
  %110 = load i8, ptr %109, align 1
  %111 = add i8 %110, -58
  %112 = icmp ult i8 %111, -10
  br i1 %112, label %116, label %113

113:                                              ; preds = %107
  %114 = add i64 %108, 1
  %115 = icmp eq i64 %114, %3
  br i1 %115, label %116, label %107

116:                                              ; preds = %113, %107
  %117 = phi i64 [ %108, %107 ], [ %3, %113 ]
  %118 = icmp slt i64 %117, 0
  br i1 %118, label %177, label %119

119:                                              ; preds = %116, %102
  %120 = phi i64 [ %103, %102 ], [ %117, %116 ]
  %121 = icmp slt i64 %120, %3
  br i1 %121, label %122, label %146

122:                                              ; preds = %119
  %123 = getelementptr inbounds i8, ptr %1, i64 %120
  %124 = load i8, ptr %123, align 1
  %125 = icmp eq i8 %124, 46
  br i1 %125, label %126, label %146

126:                                              ; preds = %122
  %127 = add i64 %120, 1
  %128 = icmp slt i64 %127, %3
  br i1 %128, label %129, label %177

129:                                              ; preds = %126
  %130 = getelementptr inbounds i8, ptr %1, i64 %127
  %131 = load i8, ptr %130, align 1
  %132 = add i8 %131, -58
  %133 = icmp ult i8 %132, -10
  br i1 %133, label %177, label %134

134:                                              ; preds = %129, %140
  %135 = phi i64 [ %141, %140 ], [ %127, %129 ]
  %136 = getelementptr inbounds i8, ptr %1, i64 %135
  %137 = load i8, ptr %136, align 1
  %138 = add i8 %137, -58
  %139 = icmp ult i8 %138, -10
  br i1 %139, label %143, label %140

140:                                              ; preds = %134
  %141 = add i64 %135, 1
  %142 = icmp eq i64 %141, %3
  br i1 %142, label %143, label %134

143:                                              ; preds = %140, %134
  %144 = phi i64 [ %3, %140 ], [ %135, %134 ]
  %145 = icmp slt i64 %144, 0
  br i1 %145, label %177, label %146

146:                                              ; preds = %143, %122, %119
  %147 = phi i64 [ %144, %143 ], [ %120, %122 ], [ %120, %119 ]
  %148 = icmp slt i64 %147, %3
  br i1 %148, label %149, label %178

149:                                              ; preds = %146
  %150 = getelementptr inbounds i8, ptr %1, i64 %147
  %151 = load i8, ptr %150, align 1
  switch i8 %151, label %178 [
    i8 101, label %152
    i8 69, label %152
  ]

152:                                              ; preds = %149, %149
  %153 = add i64 %147, 1
  %154 = icmp slt i64 %153, %3
  br i1 %154, label %155, label %160

155:                                              ; preds = %152
  %156 = getelementptr inbounds i8, ptr %1, i64 %153
  %157 = load i8, ptr %156, align 1
  switch i8 %157, label %160 [
    i8 43, label %158
    i8 45, label %158
  ]

158:                                              ; preds = %155, %155
  %159 = add i64 %147, 2
  br label %160

160:                                              ; preds = %158, %155, %152
  %161 = phi i64 [ %159, %158 ], [ %153, %155 ], [ %153, %152 ]
  %162 = icmp slt i64 %161, %3
  br i1 %162, label %163, label %177

163:                                              ; preds = %160
  %164 = getelementptr inbounds i8, ptr %1, i64 %161
  %165 = load i8, ptr %164, align 1
  %166 = add i8 %165, -58
  %167 = icmp ult i8 %166, -10
  br i1 %167, label %177, label %168

168:                                              ; preds = %163, %174
  %169 = phi i64 [ %175, %174 ], [ %161, %163 ]
  %170 = getelementptr inbounds i8, ptr %1, i64 %169
  %171 = load i8, ptr %170, align 1
  %172 = add i8 %171, -58
  %173 = icmp ult i8 %172, -10
  br i1 %173, label %178, label %174

174:                                              ; preds = %168
  %175 = add i64 %169, 1
  %176 = icmp eq i64 %175, %3
  br i1 %176, label %178, label %168

177:                                              ; preds = %48, %63, %78, %116, %93, %143, %126, %160, %163, %129, %104, %84, %69, %54
  br label %272

178:                                              ; preds = %168, %174, %45, %61, %76, %91, %146, %149
  %179 = phi i64 [ %147, %146 ], [ %47, %45 ], [ %77, %76 ], [ %92, %91 ], [ %147, %149 ], [ %62, %61 ], [ %169, %168 ], [ %3, %174 ]
  %180 = icmp slt i64 %179, 0
  br i1 %180, label %272, label %181

181:                                              ; preds = %178, %42
  %182 = phi i64 [ %43, %42 ], [ %179, %178 ]
  %183 = icmp eq i64 %13, 0
  br i1 %183, label %272, label %184

184:                                              ; preds = %181, %210
  %185 = phi i64 [ %212, %210 ], [ %13, %181 ]
  %186 = phi i64 [ %211, %210 ], [ %182, %181 ]
  %187 = icmp slt i64 %186, %3
  br i1 %187, label %188, label %195

188:                                              ; preds = %184, %192
  %189 = phi i64 [ %193, %192 ], [ %186, %184 ]
  %190 = getelementptr inbounds i8, ptr %1, i64 %189
  %191 = load i8, ptr %190, align 1
  switch i8 %191, label %195 [
    i8 32, label %192
    i8 13, label %192
    i8 9, label %192
    i8 10, label %192
  ]

192:                                              ; preds = %188, %188, %188, %188
  %193 = add i64 %189, 1
  %194 = icmp eq i64 %193, %3
  br i1 %194, label %272, label %188

195:                                              ; preds = %188, %184
  %196 = phi i64 [ %186, %184 ], [ %189, %188 ]
  %197 = icmp slt i64 %196, %3
  br i1 %197, label %198, label %272

198:                                              ; preds = %195
  %199 = getelementptr inbounds i8, ptr %1, i64 %196
  %200 = load i8, ptr %199, align 1
  %201 = icmp eq i8 %200, 44
  br i1 %201, label %214, label %202

202:                                              ; preds = %198
  %203 = zext i8 %200 to i32
  %204 = getelementptr i8, ptr %8, i64 %185
  %205 = getelementptr i8, ptr %204, i64 -1
  %206 = load i8, ptr %205, align 1
  %207 = zext i8 %206 to i32
  %208 = add i32 %207, 2
  %209 = icmp eq i32 %208, %203
  br i1 %209, label %210, label %272

210:                                              ; preds = %202
  %211 = add i64 %196, 1
  %212 = add i64 %185, -1
  %213 = icmp eq i64 %212, 0
  br i1 %213, label %272, label %184

214:                                              ; preds = %198
  %215 = add i64 %196, 1
  %216 = icmp slt i64 %215, %3
  br i1 %216, label %217, label %224

217:                                              ; preds = %214, %221
  %218 = phi i64 [ %222, %221 ], [ %215, %214 ]
  %219 = getelementptr inbounds i8, ptr %1, i64 %218
  %220 = load i8, ptr %219, align 1
  switch i8 %220, label %224 [
    i8 32, label %221
    i8 13, label %221
    i8 9, label %221
    i8 10, label %221
  ]

221:                                              ; preds = %217, %217, %217, %217
  %222 = add i64 %218, 1
  %223 = icmp eq i64 %222, %3
  br i1 %223, label %224, label %217

224:                                              ; preds = %217, %221, %214
  %225 = phi i64 [ %215, %214 ], [ %3, %221 ], [ %218, %217 ]
  %226 = getelementptr i8, ptr %8, i64 %185
  %227 = getelementptr i8, ptr %226, i64 -1
  %228 = load i8, ptr %227, align 1
  %229 = icmp eq i8 %228, 91
  br i1 %229, label %268, label %230

230:                                              ; preds = %224, %41
  %231 = phi i64 [ %34, %41 ], [ %225, %224 ]
  %232 = phi i64 [ %22, %41 ], [ %185, %224 ]
  %233 = icmp slt i64 %231, %3
  br i1 %233, label %234, label %272

234:                                              ; preds = %230
  %235 = getelementptr inbounds i8, ptr %1, i64 %231
  %236 = load i8, ptr %235, align 1
  %237 = icmp eq i8 %236, 34
  br i1 %237, label %238, label %272

238:                                              ; preds = %234
  %239 = add i64 %231, 1
  %240 = call fastcc i64 @end_of_string(ptr %1, i64 %239, i64 %3, ptr %6)
  %241 = icmp slt i64 %240, 0
  br i1 %241, label %272, label %242

242:                                              ; preds = %238
  %243 = icmp slt i64 %240, %3
  br i1 %243, label %244, label %251

244:                                              ; preds = %242, %248
  %245 = phi i64 [ %249, %248 ], [ %240, %242 ]
  %246 = getelementptr inbounds i8, ptr %1, i64 %245
  %247 = load i8, ptr %246, align 1
  switch i8 %247, label %251 [
    i8 32, label %248
    i8 13, label %248
    i8 9, label %248
    i8 10, label %248
  ]

248:                                              ; preds = %244, %244, %244, %244
  %249 = add i64 %245, 1
  %250 = icmp eq i64 %249, %3
  br i1 %250, label %272, label %244

251:                                              ; preds = %244, %242
  %252 = phi i64 [ %240, %242 ], [ %245, %244 ]
  %253 = icmp slt i64 %252, %3
  br i1 %253, label %254, label %272

254:                                              ; preds = %251
  %255 = getelementptr inbounds i8, ptr %1, i64 %252
  %256 = load i8, ptr %255, align 1
  %257 = icmp eq i8 %256, 58
  br i1 %257, label %258, label %272

258:                                              ; preds = %254
  %259 = add i64 %252, 1
  %260 = icmp slt i64 %259, %3
  br i1 %260, label %261, label %268

261:                                              ; preds = %258, %265
  %262 = phi i64 [ %266, %265 ], [ %259, %258 ]
  %263 = getelementptr inbounds i8, ptr %1, i64 %262
  %264 = load i8, ptr %263, align 1
  switch i8 %264, label %268 [
    i8 32, label %265
    i8 13, label %265
    i8 9, label %265
    i8 10, label %265
  ]

265:                                              ; preds = %261, %261, %261, %261
  %266 = add i64 %262, 1
  %267 = icmp eq i64 %266, %3
  br i1 %267, label %272, label %261

268:                                              ; preds = %261, %258, %224, %41
  %269 = phi i64 [ %34, %41 ], [ %259, %258 ], [ %225, %224 ], [ %262, %261 ]
  %270 = phi i64 [ %22, %41 ], [ %232, %258 ], [ %185, %224 ], [ %232, %261 ]
  %271 = icmp slt i64 %269, %3
  br i1 %271, label %12, label %272

272:                                              ; preds = %268, %18, %230, %33, %178, %238, %234, %254, %251, %181, %30, %210, %202, %195, %248, %265, %192, %4, %177
  %273 = phi i64 [ -2, %4 ], [ -2, %195 ], [ -2, %177 ], [ -2, %265 ], [ -2, %192 ], [ -2, %248 ], [ -2, %30 ], [ %211, %210 ], [ -2, %202 ], [ %182, %181 ], [ -2, %230 ], [ -3, %18 ], [ -2, %33 ], [ -2, %178 ], [ -2, %238 ], [ -2, %234 ], [ -2, %254 ], [ -2, %251 ], [ -2, %268 ]
  ret i64 %273
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %78

6:                                                ; preds = %4, %74
  %7 = phi i64 [ %75, %74 ], [ %1, %4 ]
  %8 = sub i64 %2, %7
  %9 = icmp sgt i64 %8, 15
  br i1 %9, label %13, label %10

10:                                               ; preds = %24, %6
  %11 = phi i64 [ %7, %6 ], [ %25, %24 ]
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %32, label %41

13:                                               ; preds = %6, %24
  %14 = phi i64 [ %25, %24 ], [ %7, %6 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 %14
  %16 = load <16 x i8>, ptr %15, align 1
  %17 = icmp eq <16 x i8> %16, splat (i8 34)
  %18 = icmp eq <16 x i8> %16, splat (i8 92)
  %19 = or <16 x i1> %17, %18
  %20 = icmp ult <16 x i8> %16, splat (i8 32)
  %21 = or <16 x i1> %20, %19
  %22 = bitcast <16 x i1> %21 to i16
  %23 = icmp eq i16 %22, 0
  br i1 %23, label %24, label %28

24:                                               ; preds = %13
  %25 = add i64 %14, 16
  %26 = sub i64 %2, %25
  %27 = icmp sgt i64 %26, 15
  br i1 %27, label %13, label %10

28:                                               ; preds = %13
  %29 = call i16 @llvm.cttz.i16(i16 %22, i1 true)
  %30 = zext i16 %29 to i64
  %31 = add i64 %14, %30
  br label %41

32:                                               ; preds = %10, %38
  %33 = phi i64 [ %39, %38 ], [ %11, %10 ]
  %34 = getelementptr inbounds i8, ptr %0, i64 %33
  %35 = load i8, ptr %34, align 1
  switch i8 %35, label %36 [
    i8 34, label %41
    i8 92, label %41
  ]

36:                                               ; preds = %32
  %37 = icmp ugt i8 %35, 31
  br i1 %37, label %38, label %41

38:                                               ; preds = %36
  %39 = add i64 %33, 1
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %78, label %32

41:                                               ; preds = %36, %32, %32, %10, %28
  %42 = phi i64 [ %31, %28 ], [ %11, %10 ], [ %33, %32 ], [ %33, %32 ], [ %33, %36 ]
  %43 = icmp slt i64 %42, %2
  br i1 %43, label %44, label %78

44:                                               ; preds = %41
  %45 = add i64 %42, 1
  %46 = getelementptr inbounds i8, ptr %0, i64 %42
  %47 = load i8, ptr %46, align 1
  switch i8 %47, label %78 [
    i8 34, label %77
    i8 92, label %48
  ]

48:                                               ; preds = %44
  store i32 1, ptr %3, align 4
  %49 = icmp slt i64 %45, %2
  br i1 %49, label %50, label %78

50:                                               ; preds = %48
  %51 = add i64 %42, 2
  %52 = getelementptr inbounds i8, ptr %0, i64 %45
  %53 = load i8, ptr %52, align 1
  switch i8 %53, label %78 [
    i8 34, label %74
    i8 92, label %74
    i8 47, label %74
    i8 98, label %74
    i8 102, label %74
    i8 110, label %74
    i8 114, label %74
    i8 116, label %74
    i8 117, label %54
  ]

54:                                               ; preds = %50
  %55 = sub i64 %2, %51
  %56 = icmp slt i64 %55, 4
  br i1 %56, label %78, label %57

57:                                               ; preds = %54
  %58 = getelementptr i8, ptr %0, i64 %51
  br label %62

59:                                               ; preds = %62
  %60 = add i64 %63, 1
  %61 = icmp eq i64 %60, 4
  br i1 %61, label %72, label %62

62:                                               ; preds = %57, %59
  %63 = phi i64 [ 0, %57 ], [ %60, %59 ]
  %64 = getelementptr i8, ptr %58, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = add i8 %65, -58
  %67 = icmp ult i8 %66, -10
  %68 = and i8 %65, -33
  %69 = add i8 %68, -71
  %70 = icmp ult i8 %69, -6
  %71 = and i1 %67, %70
  br i1 %71, label %78, label %59

72:                                               ; preds = %59
  %73 = add i64 %42, 6
  br label %74

74:                                               ; preds = %50, %50, %50, %50, %50, %50, %50, %50, %72
  %75 = phi i64 [ %73, %72 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ]
  %76 = icmp slt i64 %75, %2
  br i1 %76, label %6, label %78

77:                                               ; preds = %44
  br label %78

78:                                               ; preds = %38, %62, %74, %41, %54, %50, %48, %44, %77, %4
  %79 = phi i64 [ -1, %62 ], [ %45, %77 ], [ -1, %4 ], [ -1, %74 ], [ -1, %44 ], [ -1, %48 ], [ -1, %50 ], [ -1, %54 ], [ -1, %41 ], [ -1, %38 ]
  ret i64 %79
}

declare i16 @llvm.cttz.i16(i16, i1 immarg)

declare i64 @llvm.smin.i64(i64, i64)
