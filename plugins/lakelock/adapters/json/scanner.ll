; Made of scanner.c by `python -m native`; SHA-256 of that file:
; 6d5d285d002f2d43713ec8941f75aa39598d33c44fd473a940e611fffb2937b1

%struct.level = type { i64, i64, i64, i64, i64, i64, i64, i8, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 104
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %16, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds i8, ptr %0, i64 112
  %15 = load ptr, ptr %14, align 8
  store i64 0, ptr %15, align 8
  br label %16

16:                                               ; preds = %13, %1
  %17 = getelementptr inbounds i8, ptr %0, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:                                               ; preds = %16
  %21 = getelementptr inbounds i8, ptr %0, i64 56
  %22 = getelementptr inbounds i8, ptr %0, i64 48
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = getelementptr inbounds i8, ptr %0, i64 64
  %26 = getelementptr inbounds i8, ptr %0, i64 72
  %27 = getelementptr inbounds i8, ptr %0, i64 80
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = getelementptr inbounds i8, ptr %0, i64 96
  %31 = getelementptr inbounds i8, ptr %0, i64 88
  %32 = getelementptr inbounds i8, ptr %0, i64 112
  br label %34

33:                                               ; preds = %841, %16
  ret void

34:                                               ; preds = %20, %841
  %35 = phi i64 [ 0, %20 ], [ %842, %841 ]
  %36 = phi i64 [ 0, %20 ], [ %40, %841 ]
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %36, 1
  %41 = getelementptr inbounds i64, ptr %37, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %22, align 8
  %45 = load ptr, ptr %23, align 8
  %46 = icmp slt i64 %39, %43
  br i1 %46, label %47, label %54

47:                                               ; preds = %34, %51
  %48 = phi i64 [ %52, %51 ], [ %39, %34 ]
  %49 = getelementptr inbounds i8, ptr %44, i64 %48
  %50 = load i8, ptr %49, align 1
  switch i8 %50, label %54 [
    i8 32, label %51
    i8 13, label %51
    i8 9, label %51
    i8 10, label %51
  ]

51:                                               ; preds = %47, %47, %47, %47
  %52 = add i64 %48, 1
  %53 = icmp eq i64 %52, %43
  br i1 %53, label %820, label %47

54:                                               ; preds = %47, %34
  %55 = phi i64 [ %39, %34 ], [ %48, %47 ]
  %56 = icmp slt i64 %55, %43
  br i1 %56, label %57, label %820

57:                                               ; preds = %54
  %58 = getelementptr inbounds i8, ptr %44, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %59, 123
  br i1 %60, label %61, label %820

61:                                               ; preds = %57, %813
  %62 = phi i8 [ %819, %813 ], [ 123, %57 ]
  %63 = phi i64 [ %817, %813 ], [ 0, %57 ]
  %64 = phi i64 [ %816, %813 ], [ -1, %57 ]
  %65 = phi i64 [ %815, %813 ], [ %35, %57 ]
  %66 = phi i64 [ %814, %813 ], [ %55, %57 ]
  %67 = getelementptr inbounds i8, ptr %44, i64 %66
  %68 = icmp eq i8 %62, 123
  switch i8 %62, label %139 [
    i8 123, label %69
    i8 91, label %69
  ]

69:                                               ; preds = %61, %61
  %70 = add i64 %64, 1
  %71 = load i64, ptr %24, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %73, label %820

73:                                               ; preds = %69
  %74 = getelementptr inbounds %struct.level, ptr %45, i64 %70
  %75 = zext i1 %68 to i8
  %76 = getelementptr inbounds i8, ptr %74, i64 56
  store i8 %75, ptr %76, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 58
  store i8 0, ptr %77, align 2
  %78 = getelementptr inbounds i8, ptr %74, i64 57
  store i8 0, ptr %78, align 1
  store i64 %63, ptr %74, align 8
  %79 = icmp slt i64 %63, 0
  br i1 %79, label %102, label %80

80:                                               ; preds = %73
  %81 = load ptr, ptr %0, align 8
  %82 = getelementptr inbounds %struct.node, ptr %81, i64 %63
  %83 = getelementptr inbounds i8, ptr %82, i64 16
  %84 = load i64, ptr %83, align 8
  %85 = add i64 %84, -1
  %86 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 %85, ptr %86, align 8
  %87 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %87, align 8
  %88 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %88, align 8
  %89 = load ptr, ptr %0, align 8
  %90 = getelementptr inbounds %struct.node, ptr %89, i64 %63
  %91 = getelementptr inbounds i8, ptr %90, i64 32
  %92 = load i64, ptr %91, align 8
  %93 = icmp sgt i64 %92, -1
  br i1 %93, label %106, label %94

94:                                               ; preds = %80
  %95 = icmp eq i64 %70, 0
  br i1 %95, label %106, label %96

96:                                               ; preds = %94
  %97 = getelementptr inbounds %struct.level, ptr %45, i64 %64
  %98 = getelementptr inbounds i8, ptr %97, i64 59
  %99 = load i8, ptr %98, align 1
  %100 = icmp ne i8 %99, 0
  %101 = zext i1 %100 to i8
  br label %106

102:                                              ; preds = %73
  %103 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 -1, ptr %103, align 8
  %104 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %104, align 8
  %105 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %105, align 8
  br label %106

106:                                              ; preds = %102, %96, %94, %80
  %107 = phi i8 [ 0, %102 ], [ 1, %80 ], [ 0, %94 ], [ %101, %96 ]
  %108 = getelementptr inbounds i8, ptr %74, i64 59
  store i8 %107, ptr %108, align 1
  %109 = add i64 %66, 1
  %110 = icmp slt i64 %109, %43
  br i1 %110, label %111, label %118

111:                                              ; preds = %106, %115
  %112 = phi i64 [ %116, %115 ], [ %109, %106 ]
  %113 = getelementptr inbounds i8, ptr %44, i64 %112
  %114 = load i8, ptr %113, align 1
  switch i8 %114, label %118 [
    i8 32, label %115
    i8 13, label %115
    i8 9, label %115
    i8 10, label %115
  ]

115:                                              ; preds = %111, %111, %111, %111
  %116 = add i64 %112, 1
  %117 = icmp eq i64 %116, %43
  br i1 %117, label %820, label %111

118:                                              ; preds = %111, %106
  %119 = phi i64 [ %109, %106 ], [ %112, %111 ]
  %120 = icmp slt i64 %119, %43
  br i1 %120, label %121, label %820

121:                                              ; preds = %118
  %122 = getelementptr inbounds i8, ptr %44, i64 %119
  %123 = load i8, ptr %122, align 1
  %124 = zext i8 %123 to i32
  %125 = select i1 %68, i32 125, i32 93
  %126 = icmp eq i32 %125, %124
  br i1 %126, label %555, label %127

127:                                              ; preds = %121
  %128 = or i1 %68, %79
  br i1 %128, label %138, label %129

129:                                              ; preds = %127
  %130 = load ptr, ptr %0, align 8
  %131 = getelementptr inbounds %struct.node, ptr %130, i64 %63
  %132 = getelementptr inbounds i8, ptr %131, i64 40
  %133 = load i64, ptr %132, align 8
  %134 = icmp eq i64 %133, 2
  br i1 %134, label %135, label %813

135:                                              ; preds = %129
  %136 = getelementptr inbounds i8, ptr %131, i64 16
  %137 = load i64, ptr %136, align 8
  br label %813

138:                                              ; preds = %127
  br i1 %68, label %575, label %813

139:                                              ; preds = %61
  switch i8 %62, label %188 [
    i8 34, label %140
    i8 116, label %143
    i8 102, label %158
    i8 110, label %173
  ]

140:                                              ; preds = %139
  %141 = add i64 %66, 1
  %142 = call fastcc i64 @end_of_string(ptr %44, i64 %141, i64 %43, ptr %8)
  br label %273

143:                                              ; preds = %139
  %144 = sub i64 %43, %66
  %145 = icmp slt i64 %144, 4
  br i1 %145, label %272, label %149

146:                                              ; preds = %149
  %147 = add i64 %150, 1
  %148 = icmp eq i64 %147, 4
  br i1 %148, label %156, label %149

149:                                              ; preds = %143, %146
  %150 = phi i64 [ %147, %146 ], [ 0, %143 ]
  %151 = getelementptr i8, ptr %67, i64 %150
  %152 = load i8, ptr %151, align 1
  %153 = getelementptr inbounds i8, ptr @.str, i64 %150
  %154 = load i8, ptr %153, align 1
  %155 = icmp eq i8 %152, %154
  br i1 %155, label %146, label %272

156:                                              ; preds = %146
  %157 = add i64 %66, 4
  br label %273

158:                                              ; preds = %139
  %159 = sub i64 %43, %66
  %160 = icmp slt i64 %159, 5
  br i1 %160, label %272, label %164

161:                                              ; preds = %164
  %162 = add i64 %165, 1
  %163 = icmp eq i64 %162, 5
  br i1 %163, label %171, label %164

164:                                              ; preds = %158, %161
  %165 = phi i64 [ %162, %161 ], [ 0, %158 ]
  %166 = getelementptr i8, ptr %67, i64 %165
  %167 = load i8, ptr %166, align 1
  %168 = getelementptr inbounds i8, ptr @.str.1, i64 %165
  %169 = load i8, ptr %168, align 1
  %170 = icmp eq i8 %167, %169
  br i1 %170, label %161, label %272

171:                                              ; preds = %161
  %172 = add i64 %66, 5
  br label %273

173:                                              ; preds = %139
  %174 = sub i64 %43, %66
  %175 = icmp slt i64 %174, 4
  br i1 %175, label %272, label %179

176:                                              ; preds = %179
  %177 = add i64 %180, 1
  %178 = icmp eq i64 %177, 4
  br i1 %178, label %186, label %179

179:                                              ; preds = %173, %176
  %180 = phi i64 [ %177, %176 ], [ 0, %173 ]
  %181 = getelementptr i8, ptr %67, i64 %180
  %182 = load i8, ptr %181, align 1
  %183 = getelementptr inbounds i8, ptr @.str.2, i64 %180
  %184 = load i8, ptr %183, align 1
  %185 = icmp eq i8 %182, %184
  br i1 %185, label %176, label %272

186:                                              ; preds = %176
  %187 = add i64 %66, 4
  br label %273

188:                                              ; preds = %139
  %189 = icmp eq i8 %62, 45
  %190 = zext i1 %189 to i64
  %191 = add i64 %66, %190
  %192 = icmp slt i64 %191, %43
  br i1 %192, label %193, label %272

193:                                              ; preds = %188
  %194 = getelementptr inbounds i8, ptr %44, i64 %191
  %195 = load i8, ptr %194, align 1
  %196 = icmp eq i8 %195, 48
  br i1 %196, label %197, label %199

197:                                              ; preds = %193
  %198 = add i64 %191, 1
  br label %214

199:                                              ; preds = %193
  %200 = add i8 %195, -58
  %201 = icmp ult i8 %200, -10
  br i1 %201, label %272, label %202

202:                                              ; preds = %199, %208
  %203 = phi i64 [ %209, %208 ], [ %191, %199 ]
  %204 = getelementptr inbounds i8, ptr %44, i64 %203
  %205 = load i8, ptr %204, align 1
  %206 = add i8 %205, -58
  %207 = icmp ult i8 %206, -10
  br i1 %207, label %211, label %208

208:                                              ; preds = %202
  %209 = add i64 %203, 1
  %210 = icmp eq i64 %209, %43
  br i1 %210, label %211, label %202

211:                                              ; preds = %208, %202
  %212 = phi i64 [ %203, %202 ], [ %43, %208 ]
  %213 = icmp slt i64 %212, 0
  br i1 %213, label %272, label %214

214:                                              ; preds = %211, %197
  %215 = phi i64 [ %198, %197 ], [ %212, %211 ]
  %216 = icmp slt i64 %215, %43
  br i1 %216, label %217, label %241

217:                                              ; preds = %214
  %218 = getelementptr inbounds i8, ptr %44, i64 %215
  %219 = load i8, ptr %218, align 1
  %220 = icmp eq i8 %219, 46
  br i1 %220, label %221, label %241

221:                                              ; preds = %217
  %222 = add i64 %215, 1
  %223 = icmp slt i64 %222, %43
  br i1 %223, label %224, label %272

224:                                              ; preds = %221
  %225 = getelementptr inbounds i8, ptr %44, i64 %222
  %226 = load i8, ptr %225, align 1
  %227 = add i8 %226, -58
  %228 = icmp ult i8 %227, -10
  br i1 %228, label %272, label %229

229:                                              ; preds = %224, %235
  %230 = phi i64 [ %236, %235 ], [ %222, %224 ]
  %231 = getelementptr inbounds i8, ptr %44, i64 %230
  %232 = load i8, ptr %231, align 1
  %233 = add i8 %232, -58
  %234 = icmp ult i8 %233, -10
  br i1 %234, label %238, label %235

235:                                              ; preds = %229
  %236 = add i64 %230, 1
  %237 = icmp eq i64 %236, %43
  br i1 %237, label %238, label %229

238:                                              ; preds = %235, %229
  %239 = phi i64 [ %43, %235 ], [ %230, %229 ]
  %240 = icmp slt i64 %239, 0
  br i1 %240, label %272, label %241

241:                                              ; preds = %238, %217, %214
  %242 = phi i64 [ %239, %238 ], [ %215, %217 ], [ %215, %214 ]
  %243 = icmp slt i64 %242, %43
  br i1 %243, label %244, label %273

244:                                              ; preds = %241
  %245 = getelementptr inbounds i8, ptr %44, i64 %242
  %246 = load i8, ptr %245, align 1
  switch i8 %246, label %273 [
    i8 101, label %247
    i8 69, label %247
  ]

247:                                              ; preds = %244, %244
  %248 = add i64 %242, 1
  %249 = icmp slt i64 %248, %43
  br i1 %249, label %250, label %255

250:                                              ; preds = %247
  %251 = getelementptr inbounds i8, ptr %44, i64 %248
  %252 = load i8, ptr %251, align 1
  switch i8 %252, label %255 [
    i8 43, label %253
    i8 45, label %253
  ]

253:                                              ; preds = %250, %250
  %254 = add i64 %242, 2
  br label %255

255:                                              ; preds = %253, %250, %247
  %256 = phi i64 [ %254, %253 ], [ %248, %250 ], [ %248, %247 ]
  %257 = icmp slt i64 %256, %43
  br i1 %257, label %258, label %272

258:                                              ; preds = %255
  %259 = getelementptr inbounds i8, ptr %44, i64 %256
  %260 = load i8, ptr %259, align 1
  %261 = add i8 %260, -58
  %262 = icmp ult i8 %261, -10
  br i1 %262, label %272, label %263

263:                                              ; preds = %258, %269
  %264 = phi i64 [ %270, %269 ], [ %256, %258 ]
  %265 = getelementptr inbounds i8, ptr %44, i64 %264
  %266 = load i8, ptr %265, align 1
  %267 = add i8 %266, -58
  %268 = icmp ult i8 %267, -10
  br i1 %268, label %273, label %269

269:                                              ; preds = %263
  %270 = add i64 %264, 1
  %271 = icmp eq i64 %270, %43
  br i1 %271, label %273, label %263

272:                                              ; preds = %258, %255, %238, %224, %221, %211, %199, %188, %173, %158, %143, %179, %164, %149
  br label %820

273:                                              ; preds = %269, %263, %244, %241, %186, %171, %156, %140
  %274 = phi i64 [ %242, %241 ], [ %142, %140 ], [ %172, %171 ], [ %187, %186 ], [ %242, %244 ], [ %157, %156 ], [ %43, %269 ], [ %264, %263 ]
  %275 = icmp slt i64 %274, 0
  br i1 %275, label %820, label %276

276:                                              ; preds = %555, %273
  %277 = phi i64 [ %561, %555 ], [ %64, %273 ]
  %278 = phi i64 [ %559, %555 ], [ %65, %273 ]
  %279 = phi i64 [ %560, %555 ], [ %274, %273 ]
  %280 = getelementptr inbounds %struct.level, ptr %45, i64 %277
  %281 = getelementptr inbounds i8, ptr %280, i64 56
  %282 = load i8, ptr %281, align 8
  %283 = icmp eq i8 %282, 0
  br i1 %283, label %456, label %284

284:                                              ; preds = %276
  %285 = getelementptr inbounds i8, ptr %280, i64 32
  %286 = load i64, ptr %285, align 8
  %287 = icmp sgt i64 %286, -1
  br i1 %287, label %288, label %322

288:                                              ; preds = %284
  %289 = load ptr, ptr %0, align 8
  %290 = getelementptr inbounds %struct.node, ptr %289, i64 %286
  %291 = getelementptr inbounds i8, ptr %290, i64 32
  %292 = load i64, ptr %291, align 8
  %293 = icmp sgt i64 %292, -1
  br i1 %293, label %294, label %351

294:                                              ; preds = %288
  %295 = load i64, ptr %17, align 8
  %296 = mul i64 %295, %292
  %297 = add i64 %296, %36
  %298 = load ptr, ptr %26, align 8
  %299 = getelementptr inbounds i64, ptr %298, i64 %297
  %300 = load i64, ptr %299, align 8
  %301 = icmp slt i64 %300, 0
  br i1 %301, label %302, label %453

302:                                              ; preds = %294
  %303 = getelementptr inbounds i8, ptr %280, i64 24
  %304 = load i64, ptr %303, align 8
  store i64 %304, ptr %299, align 8
  %305 = load ptr, ptr %27, align 8
  %306 = getelementptr inbounds i64, ptr %305, i64 %297
  store i64 %279, ptr %306, align 8
  %307 = getelementptr inbounds i8, ptr %290, i64 40
  %308 = load i64, ptr %307, align 8
  %309 = icmp eq i64 %308, 4
  br i1 %309, label %310, label %351

310:                                              ; preds = %302
  %311 = load i64, ptr %303, align 8
  %312 = load ptr, ptr %25, align 8
  %313 = getelementptr inbounds i8, ptr %312, i64 %311
  store i8 48, ptr %313, align 1
  %314 = add i64 %311, 1
  %315 = icmp slt i64 %314, %279
  br i1 %315, label %316, label %351

316:                                              ; preds = %310, %316
  %317 = phi i64 [ %320, %316 ], [ %314, %310 ]
  %318 = load ptr, ptr %25, align 8
  %319 = getelementptr inbounds i8, ptr %318, i64 %317
  store i8 32, ptr %319, align 1
  %320 = add i64 %317, 1
  %321 = icmp eq i64 %320, %279
  br i1 %321, label %351, label %316

322:                                              ; preds = %284
  %323 = load i64, ptr %280, align 8
  %324 = icmp sgt i64 %323, -1
  br i1 %324, label %325, label %449

325:                                              ; preds = %322
  %326 = load ptr, ptr %0, align 8
  %327 = getelementptr inbounds %struct.node, ptr %326, i64 %323
  %328 = getelementptr inbounds i8, ptr %327, i64 40
  %329 = load i64, ptr %328, align 8
  %330 = icmp eq i64 %329, 1
  br i1 %330, label %331, label %449

331:                                              ; preds = %325
  %332 = getelementptr inbounds i8, ptr %280, i64 59
  %333 = load i8, ptr %332, align 1
  %334 = icmp eq i8 %333, 0
  br i1 %334, label %335, label %449

335:                                              ; preds = %331
  %336 = load ptr, ptr %10, align 8
  %337 = icmp eq ptr %336, null
  br i1 %337, label %449, label %338

338:                                              ; preds = %335
  %339 = getelementptr inbounds i8, ptr %280, i64 24
  %340 = load i64, ptr %339, align 8
  %341 = load ptr, ptr %25, align 8
  %342 = getelementptr inbounds i8, ptr %341, i64 %340
  store i8 48, ptr %342, align 1
  %343 = add i64 %340, 1
  %344 = icmp slt i64 %343, %279
  br i1 %344, label %345, label %355

345:                                              ; preds = %338, %345
  %346 = phi i64 [ %349, %345 ], [ %343, %338 ]
  %347 = load ptr, ptr %25, align 8
  %348 = getelementptr inbounds i8, ptr %347, i64 %346
  store i8 32, ptr %348, align 1
  %349 = add i64 %346, 1
  %350 = icmp eq i64 %349, %279
  br i1 %350, label %355, label %345

351:                                              ; preds = %316, %310, %302, %288
  %352 = getelementptr inbounds i8, ptr %280, i64 58
  %353 = load i8, ptr %352, align 2
  %354 = icmp eq i8 %353, 0
  br i1 %354, label %449, label %355

355:                                              ; preds = %345, %351, %338
  %356 = load ptr, ptr %10, align 8
  %357 = icmp eq ptr %356, null
  br i1 %357, label %449, label %358

358:                                              ; preds = %355
  %359 = icmp sgt i64 %277, 0
  br i1 %359, label %362, label %386

360:                                              ; preds = %377
  %361 = icmp sgt i64 %378, -1
  br i1 %361, label %383, label %386

362:                                              ; preds = %358, %377
  %363 = phi i64 [ %379, %377 ], [ 0, %358 ]
  %364 = phi i64 [ %378, %377 ], [ -1, %358 ]
  %365 = getelementptr inbounds %struct.level, ptr %45, i64 %363
  %366 = getelementptr inbounds i8, ptr %365, i64 32
  %367 = load i64, ptr %366, align 8
  %368 = icmp sgt i64 %367, -1
  br i1 %368, label %369, label %377

369:                                              ; preds = %362
  %370 = load ptr, ptr %0, align 8
  %371 = getelementptr inbounds %struct.node, ptr %370, i64 %367
  %372 = getelementptr inbounds i8, ptr %371, i64 40
  %373 = load i64, ptr %372, align 8
  %374 = and i64 %373, -2
  %375 = icmp eq i64 %374, 2
  %376 = select i1 %375, i64 %363, i64 %364
  br label %377

377:                                              ; preds = %369, %362
  %378 = phi i64 [ %364, %362 ], [ %376, %369 ]
  %379 = add i64 %363, 1
  %380 = icmp slt i64 %379, %277
  %381 = icmp slt i64 %378, 0
  %382 = select i1 %380, i1 %381, i1 false
  br i1 %382, label %362, label %360

383:                                              ; preds = %360
  %384 = getelementptr inbounds %struct.level, ptr %45, i64 %378
  %385 = getelementptr inbounds i8, ptr %384, i64 58
  store i8 1, ptr %385, align 2
  br label %449

386:                                              ; preds = %360, %358
  %387 = icmp slt i64 %277, 0
  br i1 %387, label %388, label %406

388:                                              ; preds = %445, %386
  %389 = phi i64 [ %278, %386 ], [ %446, %445 ]
  %390 = load ptr, ptr %23, align 8
  %391 = getelementptr inbounds %struct.level, ptr %390, i64 %277
  %392 = getelementptr inbounds i8, ptr %391, i64 24
  %393 = load i64, ptr %392, align 8
  %394 = icmp slt i64 %393, %279
  br i1 %394, label %395, label %449

395:                                              ; preds = %388, %395
  %396 = phi i64 [ %404, %395 ], [ %393, %388 ]
  %397 = phi i64 [ %402, %395 ], [ %389, %388 ]
  %398 = load ptr, ptr %22, align 8
  %399 = getelementptr inbounds i8, ptr %398, i64 %396
  %400 = load i8, ptr %399, align 1
  %401 = load ptr, ptr %10, align 8
  %402 = add i64 %397, 1
  %403 = getelementptr inbounds i8, ptr %401, i64 %397
  store i8 %400, ptr %403, align 1
  %404 = add i64 %396, 1
  %405 = icmp eq i64 %404, %279
  br i1 %405, label %449, label %395

406:                                              ; preds = %386, %445
  %407 = phi i64 [ %446, %445 ], [ %278, %386 ]
  %408 = phi i64 [ %447, %445 ], [ 0, %386 ]
  %409 = load ptr, ptr %23, align 8
  %410 = getelementptr inbounds %struct.level, ptr %409, i64 %408
  %411 = icmp slt i64 %408, %277
  br i1 %411, label %412, label %416

412:                                              ; preds = %406
  %413 = getelementptr inbounds i8, ptr %410, i64 121
  %414 = load i8, ptr %413, align 1
  %415 = icmp eq i8 %414, 0
  br i1 %415, label %416, label %445

416:                                              ; preds = %412, %406
  %417 = getelementptr inbounds i8, ptr %410, i64 57
  %418 = load i8, ptr %417, align 1
  %419 = icmp eq i8 %418, 0
  %420 = select i1 %419, i8 123, i8 44
  %421 = load ptr, ptr %10, align 8
  %422 = add i64 %407, 1
  %423 = getelementptr inbounds i8, ptr %421, i64 %407
  store i8 %420, ptr %423, align 1
  store i8 1, ptr %417, align 1
  %424 = getelementptr inbounds i8, ptr %410, i64 8
  %425 = load i64, ptr %424, align 8
  %426 = getelementptr inbounds i8, ptr %410, i64 16
  %427 = load i64, ptr %426, align 8
  %428 = icmp slt i64 %425, %427
  br i1 %428, label %429, label %440

429:                                              ; preds = %416, %429
  %430 = phi i64 [ %438, %429 ], [ %425, %416 ]
  %431 = phi i64 [ %436, %429 ], [ %422, %416 ]
  %432 = load ptr, ptr %22, align 8
  %433 = getelementptr inbounds i8, ptr %432, i64 %430
  %434 = load i8, ptr %433, align 1
  %435 = load ptr, ptr %10, align 8
  %436 = add i64 %431, 1
  %437 = getelementptr inbounds i8, ptr %435, i64 %431
  store i8 %434, ptr %437, align 1
  %438 = add i64 %430, 1
  %439 = icmp eq i64 %438, %427
  br i1 %439, label %440, label %429

440:                                              ; preds = %429, %416
  %441 = phi i64 [ %422, %416 ], [ %436, %429 ]
  %442 = load ptr, ptr %10, align 8
  %443 = add i64 %441, 1
  %444 = getelementptr inbounds i8, ptr %442, i64 %441
  store i8 58, ptr %444, align 1
  br label %445

445:                                              ; preds = %440, %412
  %446 = phi i64 [ %443, %440 ], [ %407, %412 ]
  %447 = add i64 %408, 1
  %448 = icmp eq i64 %408, %277
  br i1 %448, label %388, label %406

449:                                              ; preds = %395, %388, %383, %355, %351, %335, %331, %325, %322
  %450 = phi i1 [ true, %351 ], [ true, %355 ], [ true, %383 ], [ true, %322 ], [ true, %388 ], [ false, %331 ], [ true, %325 ], [ true, %335 ], [ true, %395 ]
  %451 = phi i64 [ %278, %351 ], [ %278, %355 ], [ %278, %383 ], [ %278, %322 ], [ %389, %388 ], [ %278, %331 ], [ %278, %325 ], [ %278, %335 ], [ %402, %395 ]
  %452 = getelementptr inbounds i8, ptr %280, i64 58
  store i8 0, ptr %452, align 2
  br label %456

453:                                              ; preds = %294
  %454 = load ptr, ptr %30, align 8
  %455 = getelementptr inbounds i64, ptr %454, i64 %36
  store i64 %292, ptr %455, align 8
  br label %820

456:                                              ; preds = %449, %276
  %457 = phi i1 [ %450, %449 ], [ true, %276 ]
  %458 = phi i64 [ %451, %449 ], [ %278, %276 ]
  %459 = icmp slt i64 %279, %43
  br i1 %459, label %460, label %467

460:                                              ; preds = %456, %464
  %461 = phi i64 [ %465, %464 ], [ %279, %456 ]
  %462 = getelementptr inbounds i8, ptr %44, i64 %461
  %463 = load i8, ptr %462, align 1
  switch i8 %463, label %467 [
    i8 32, label %464
    i8 13, label %464
    i8 9, label %464
    i8 10, label %464
  ]

464:                                              ; preds = %460, %460, %460, %460
  %465 = add i64 %461, 1
  %466 = icmp eq i64 %465, %43
  br i1 %466, label %820, label %460

467:                                              ; preds = %460, %456
  %468 = phi i64 [ %279, %456 ], [ %461, %460 ]
  %469 = icmp slt i64 %468, %43
  br i1 %469, label %470, label %820

470:                                              ; preds = %467
  br i1 %457, label %501, label %471

471:                                              ; preds = %470
  %472 = load ptr, ptr %25, align 8
  %473 = icmp eq ptr %472, null
  br i1 %473, label %497, label %474

474:                                              ; preds = %471
  %475 = getelementptr inbounds i8, ptr %280, i64 8
  %476 = load i64, ptr %475, align 8
  %477 = icmp slt i64 %476, %279
  br i1 %477, label %483, label %478

478:                                              ; preds = %483, %474
  %479 = load ptr, ptr %22, align 8
  %480 = getelementptr inbounds i8, ptr %479, i64 %468
  %481 = load i8, ptr %480, align 1
  %482 = icmp eq i8 %481, 44
  br i1 %482, label %493, label %489

483:                                              ; preds = %474, %483
  %484 = phi i64 [ %487, %483 ], [ %476, %474 ]
  %485 = load ptr, ptr %25, align 8
  %486 = getelementptr inbounds i8, ptr %485, i64 %484
  store i8 32, ptr %486, align 1
  %487 = add i64 %484, 1
  %488 = icmp eq i64 %487, %279
  br i1 %488, label %478, label %483

489:                                              ; preds = %478
  %490 = getelementptr inbounds i8, ptr %280, i64 48
  %491 = load i64, ptr %490, align 8
  %492 = icmp sgt i64 %491, -1
  br i1 %492, label %493, label %497

493:                                              ; preds = %489, %478
  %494 = phi i64 [ %468, %478 ], [ %491, %489 ]
  %495 = load ptr, ptr %25, align 8
  %496 = getelementptr inbounds i8, ptr %495, i64 %494
  store i8 32, ptr %496, align 1
  br label %497

497:                                              ; preds = %493, %489, %471
  %498 = getelementptr inbounds i8, ptr %44, i64 %468
  %499 = load i8, ptr %498, align 1
  %500 = icmp eq i8 %499, 44
  br i1 %500, label %507, label %538

501:                                              ; preds = %470
  %502 = getelementptr inbounds i8, ptr %44, i64 %468
  %503 = load i8, ptr %502, align 1
  %504 = icmp eq i8 %503, 44
  br i1 %504, label %505, label %538

505:                                              ; preds = %501
  %506 = getelementptr inbounds i8, ptr %280, i64 48
  store i64 %468, ptr %506, align 8
  br label %507

507:                                              ; preds = %505, %497
  %508 = add i64 %468, 1
  %509 = icmp slt i64 %508, %43
  br i1 %509, label %510, label %517

510:                                              ; preds = %507, %514
  %511 = phi i64 [ %515, %514 ], [ %508, %507 ]
  %512 = getelementptr inbounds i8, ptr %44, i64 %511
  %513 = load i8, ptr %512, align 1
  switch i8 %513, label %517 [
    i8 32, label %514
    i8 13, label %514
    i8 9, label %514
    i8 10, label %514
  ]

514:                                              ; preds = %510, %510, %510, %510
  %515 = add i64 %511, 1
  %516 = icmp eq i64 %515, %43
  br i1 %516, label %820, label %510

517:                                              ; preds = %510, %507
  %518 = phi i64 [ %508, %507 ], [ %511, %510 ]
  %519 = icmp slt i64 %518, %43
  br i1 %519, label %520, label %820

520:                                              ; preds = %517
  %521 = load i8, ptr %281, align 8
  %522 = icmp eq i8 %521, 0
  br i1 %522, label %526, label %523

523:                                              ; preds = %520
  %524 = getelementptr inbounds i8, ptr %44, i64 %518
  %525 = load i8, ptr %524, align 1
  br label %575

526:                                              ; preds = %520
  %527 = load i64, ptr %280, align 8
  %528 = icmp sgt i64 %527, -1
  br i1 %528, label %529, label %813

529:                                              ; preds = %526
  %530 = load ptr, ptr %0, align 8
  %531 = getelementptr inbounds %struct.node, ptr %530, i64 %527
  %532 = getelementptr inbounds i8, ptr %531, i64 40
  %533 = load i64, ptr %532, align 8
  %534 = icmp eq i64 %533, 2
  br i1 %534, label %535, label %813

535:                                              ; preds = %529
  %536 = getelementptr inbounds i8, ptr %531, i64 16
  %537 = load i64, ptr %536, align 8
  br label %813

538:                                              ; preds = %501, %497
  %539 = phi i8 [ %503, %501 ], [ %499, %497 ]
  %540 = zext i8 %539 to i32
  %541 = load i8, ptr %281, align 8
  %542 = icmp eq i8 %541, 0
  %543 = select i1 %542, i32 93, i32 125
  %544 = icmp eq i32 %543, %540
  br i1 %544, label %545, label %820

545:                                              ; preds = %538
  %546 = getelementptr inbounds i8, ptr %280, i64 57
  %547 = load i8, ptr %546, align 1
  %548 = icmp eq i8 %547, 0
  br i1 %548, label %555, label %549

549:                                              ; preds = %545
  %550 = load ptr, ptr %10, align 8
  %551 = icmp eq ptr %550, null
  br i1 %551, label %555, label %552

552:                                              ; preds = %549
  %553 = add i64 %458, 1
  %554 = getelementptr inbounds i8, ptr %550, i64 %458
  store i8 125, ptr %554, align 1
  br label %555

555:                                              ; preds = %552, %549, %545, %121
  %556 = phi i64 [ %468, %552 ], [ %468, %549 ], [ %468, %545 ], [ %119, %121 ]
  %557 = phi i64 [ %277, %552 ], [ %277, %549 ], [ %277, %545 ], [ %70, %121 ]
  %558 = phi i64 [ %553, %552 ], [ %458, %549 ], [ %458, %545 ], [ %65, %121 ]
  %559 = freeze i64 %558
  %560 = add i64 %556, 1
  %561 = add i64 %557, -1
  %562 = icmp sgt i64 %557, 0
  br i1 %562, label %276, label %563

563:                                              ; preds = %555
  %564 = icmp slt i64 %560, %43
  br i1 %564, label %565, label %572

565:                                              ; preds = %563, %569
  %566 = phi i64 [ %570, %569 ], [ %560, %563 ]
  %567 = getelementptr inbounds i8, ptr %44, i64 %566
  %568 = load i8, ptr %567, align 1
  switch i8 %568, label %572 [
    i8 32, label %569
    i8 13, label %569
    i8 9, label %569
    i8 10, label %569
  ]

569:                                              ; preds = %565, %565, %565, %565
  %570 = add i64 %566, 1
  %571 = icmp eq i64 %570, %43
  br i1 %571, label %824, label %565

572:                                              ; preds = %565, %563
  %573 = phi i64 [ %560, %563 ], [ %566, %565 ]
  %574 = icmp eq i64 %573, %43
  br i1 %574, label %824, label %820

575:                                              ; preds = %523, %138
  %576 = phi i8 [ %123, %138 ], [ %525, %523 ]
  %577 = phi i64 [ %70, %138 ], [ %277, %523 ]
  %578 = phi i64 [ %65, %138 ], [ %458, %523 ]
  %579 = phi i64 [ %119, %138 ], [ %518, %523 ]
  %580 = getelementptr inbounds i8, ptr %44, i64 %579
  %581 = icmp eq i8 %576, 34
  br i1 %581, label %582, label %820

582:                                              ; preds = %575
  %583 = getelementptr inbounds %struct.level, ptr %45, i64 %577
  store i32 0, ptr %9, align 4
  %584 = getelementptr inbounds i8, ptr %583, i64 8
  store i64 %579, ptr %584, align 8
  %585 = add i64 %579, 1
  %586 = call fastcc i64 @end_of_string(ptr %44, i64 %585, i64 %43, ptr %9)
  %587 = icmp slt i64 %586, 0
  br i1 %587, label %810, label %588

588:                                              ; preds = %582
  %589 = getelementptr inbounds i8, ptr %583, i64 16
  store i64 %586, ptr %589, align 8
  %590 = getelementptr inbounds i8, ptr %583, i64 32
  store i64 -1, ptr %590, align 8
  %591 = load i64, ptr %583, align 8
  %592 = icmp sgt i64 %591, -1
  br i1 %592, label %593, label %780

593:                                              ; preds = %588
  %594 = load ptr, ptr %0, align 8
  %595 = getelementptr inbounds %struct.node, ptr %594, i64 %591
  %596 = getelementptr inbounds i8, ptr %595, i64 40
  %597 = load i64, ptr %596, align 8
  switch i64 %597, label %780 [
    i64 1, label %598
    i64 3, label %777
  ]

598:                                              ; preds = %593
  %599 = getelementptr inbounds i8, ptr %580, i64 1
  %600 = sub i64 %586, %579
  %601 = add i64 %600, -2
  %602 = load i32, ptr %9, align 4
  %603 = getelementptr inbounds i8, ptr %583, i64 40
  %604 = load i64, ptr %603, align 8
  %605 = add i64 %604, 1
  %606 = getelementptr inbounds i8, ptr %595, i64 16
  %607 = load i64, ptr %606, align 8
  %608 = getelementptr inbounds i8, ptr %595, i64 24
  %609 = load i64, ptr %608, align 8
  %610 = add i64 %609, %607
  %611 = icmp slt i64 %605, %610
  %612 = select i1 %611, i64 %605, i64 %607
  %613 = icmp eq i64 %609, 0
  br i1 %613, label %667, label %614

614:                                              ; preds = %598
  %615 = getelementptr inbounds %struct.node, ptr %594, i64 %612
  %616 = icmp eq i32 %602, 0
  br i1 %616, label %617, label %621

617:                                              ; preds = %614
  %618 = getelementptr inbounds i8, ptr %615, i64 8
  %619 = load i64, ptr %618, align 8
  %620 = icmp eq i64 %619, %601
  br i1 %620, label %621, label %667

621:                                              ; preds = %617, %614
  store i64 0, ptr %7, align 8
  %622 = icmp sgt i64 %600, 2
  %623 = getelementptr inbounds i8, ptr %615, i64 8
  br i1 %622, label %629, label %624

624:                                              ; preds = %621
  %625 = load i64, ptr %623, align 8
  br label %663

626:                                              ; preds = %658
  %627 = load i64, ptr %7, align 8
  %628 = icmp slt i64 %627, %601
  br i1 %628, label %629, label %663

629:                                              ; preds = %621, %626
  %630 = phi i64 [ %627, %626 ], [ 0, %621 ]
  %631 = phi i64 [ %649, %626 ], [ 0, %621 ]
  br i1 %616, label %634, label %632

632:                                              ; preds = %629
  %633 = call fastcc i32 @spelled(ptr %599, ptr %7, ptr %6)
  br label %638

634:                                              ; preds = %629
  %635 = add i64 %630, 1
  store i64 %635, ptr %7, align 8
  %636 = getelementptr inbounds i8, ptr %599, i64 %630
  %637 = load i8, ptr %636, align 1
  store i8 %637, ptr %6, align 1
  br label %638

638:                                              ; preds = %634, %632
  %639 = phi i32 [ %633, %632 ], [ 1, %634 ]
  %640 = zext i32 %639 to i64
  %641 = load i64, ptr %623, align 8
  %642 = sub i64 %641, %631
  %643 = icmp slt i64 %642, %640
  br i1 %643, label %662, label %644

644:                                              ; preds = %638
  %645 = load ptr, ptr %615, align 8
  %646 = add i64 %631, 1
  %647 = add i32 %639, -1
  %648 = zext i32 %647 to i64
  %649 = add i64 %646, %648
  br label %650

650:                                              ; preds = %658, %644
  %651 = phi i64 [ 0, %644 ], [ %660, %658 ]
  %652 = phi i64 [ %631, %644 ], [ %659, %658 ]
  %653 = getelementptr inbounds i8, ptr %645, i64 %652
  %654 = load i8, ptr %653, align 1
  %655 = getelementptr inbounds i8, ptr %6, i64 %651
  %656 = load i8, ptr %655, align 1
  %657 = icmp eq i8 %654, %656
  br i1 %657, label %658, label %662

658:                                              ; preds = %650
  %659 = add i64 %652, 1
  %660 = add i64 %651, 1
  %661 = icmp eq i64 %660, %640
  br i1 %661, label %626, label %650

662:                                              ; preds = %638, %650
  br label %667

663:                                              ; preds = %626, %624
  %664 = phi i64 [ %625, %624 ], [ %641, %626 ]
  %665 = phi i64 [ 0, %624 ], [ %649, %626 ]
  %666 = icmp eq i64 %665, %664
  br i1 %666, label %773, label %667

667:                                              ; preds = %663, %662, %617, %598
  %668 = trunc i64 %591 to i32
  %669 = xor i32 %668, -2128831035
  store i64 0, ptr %5, align 8
  %670 = icmp sgt i64 %600, 2
  br i1 %670, label %671, label %698

671:                                              ; preds = %667
  %672 = icmp eq i32 %602, 0
  br label %676

673:                                              ; preds = %688
  %674 = load i64, ptr %5, align 8
  %675 = icmp slt i64 %674, %601
  br i1 %675, label %676, label %698

676:                                              ; preds = %673, %671
  %677 = phi i64 [ 0, %671 ], [ %674, %673 ]
  %678 = phi i32 [ %669, %671 ], [ %695, %673 ]
  br i1 %672, label %682, label %679

679:                                              ; preds = %676
  %680 = call fastcc i32 @spelled(ptr %599, ptr %5, ptr %4)
  %681 = zext i32 %680 to i64
  br label %686

682:                                              ; preds = %676
  %683 = add i64 %677, 1
  store i64 %683, ptr %5, align 8
  %684 = getelementptr inbounds i8, ptr %599, i64 %677
  %685 = load i8, ptr %684, align 1
  store i8 %685, ptr %4, align 1
  br label %686

686:                                              ; preds = %682, %679
  %687 = phi i64 [ %681, %679 ], [ 1, %682 ]
  br label %688

688:                                              ; preds = %688, %686
  %689 = phi i64 [ 0, %686 ], [ %696, %688 ]
  %690 = phi i32 [ %678, %686 ], [ %695, %688 ]
  %691 = getelementptr inbounds i8, ptr %4, i64 %689
  %692 = load i8, ptr %691, align 1
  %693 = zext i8 %692 to i32
  %694 = xor i32 %690, %693
  %695 = mul i32 %694, 16777619
  %696 = add i64 %689, 1
  %697 = icmp eq i64 %696, %687
  br i1 %697, label %673, label %688

698:                                              ; preds = %673, %667
  %699 = phi i32 [ %669, %667 ], [ %695, %673 ]
  %700 = zext i32 %699 to i64
  %701 = load i64, ptr %28, align 8
  %702 = and i64 %701, %700
  %703 = load ptr, ptr %29, align 8
  %704 = getelementptr inbounds i64, ptr %703, i64 %702
  %705 = load i64, ptr %704, align 8
  %706 = icmp sgt i64 %705, -1
  br i1 %706, label %707, label %772

707:                                              ; preds = %698
  %708 = icmp eq i32 %602, 0
  br label %709

709:                                              ; preds = %766, %707
  %710 = phi i64 [ %705, %707 ], [ %770, %766 ]
  %711 = phi i64 [ %702, %707 ], [ %768, %766 ]
  %712 = icmp sge i64 %710, %607
  %713 = icmp slt i64 %710, %610
  %714 = select i1 %712, i1 %713, i1 false
  br i1 %714, label %715, label %766

715:                                              ; preds = %709
  %716 = getelementptr inbounds %struct.node, ptr %594, i64 %710
  br i1 %708, label %717, label %721

717:                                              ; preds = %715
  %718 = getelementptr inbounds i8, ptr %716, i64 8
  %719 = load i64, ptr %718, align 8
  %720 = icmp eq i64 %719, %601
  br i1 %720, label %721, label %766

721:                                              ; preds = %717, %715
  store i64 0, ptr %3, align 8
  %722 = getelementptr inbounds i8, ptr %716, i64 8
  br i1 %670, label %728, label %723

723:                                              ; preds = %721
  %724 = load i64, ptr %722, align 8
  br label %762

725:                                              ; preds = %757
  %726 = load i64, ptr %3, align 8
  %727 = icmp slt i64 %726, %601
  br i1 %727, label %728, label %762

728:                                              ; preds = %721, %725
  %729 = phi i64 [ %726, %725 ], [ 0, %721 ]
  %730 = phi i64 [ %748, %725 ], [ 0, %721 ]
  br i1 %708, label %733, label %731

731:                                              ; preds = %728
  %732 = call fastcc i32 @spelled(ptr %599, ptr %3, ptr %2)
  br label %737

733:                                              ; preds = %728
  %734 = add i64 %729, 1
  store i64 %734, ptr %3, align 8
  %735 = getelementptr inbounds i8, ptr %599, i64 %729
  %736 = load i8, ptr %735, align 1
  store i8 %736, ptr %2, align 1
  br label %737

737:                                              ; preds = %733, %731
  %738 = phi i32 [ %732, %731 ], [ 1, %733 ]
  %739 = zext i32 %738 to i64
  %740 = load i64, ptr %722, align 8
  %741 = sub i64 %740, %730
  %742 = icmp slt i64 %741, %739
  br i1 %742, label %761, label %743

743:                                              ; preds = %737
  %744 = load ptr, ptr %716, align 8
  %745 = add i64 %730, 1
  %746 = add i32 %738, -1
  %747 = zext i32 %746 to i64
  %748 = add i64 %745, %747
  br label %749

749:                                              ; preds = %757, %743
  %750 = phi i64 [ 0, %743 ], [ %759, %757 ]
  %751 = phi i64 [ %730, %743 ], [ %758, %757 ]
  %752 = getelementptr inbounds i8, ptr %744, i64 %751
  %753 = load i8, ptr %752, align 1
  %754 = getelementptr inbounds i8, ptr %2, i64 %750
  %755 = load i8, ptr %754, align 1
  %756 = icmp eq i8 %753, %755
  br i1 %756, label %757, label %761

757:                                              ; preds = %749
  %758 = add i64 %751, 1
  %759 = add i64 %750, 1
  %760 = icmp eq i64 %759, %739
  br i1 %760, label %725, label %749

761:                                              ; preds = %737, %749
  br label %766

762:                                              ; preds = %725, %723
  %763 = phi i64 [ %724, %723 ], [ %740, %725 ]
  %764 = phi i64 [ 0, %723 ], [ %748, %725 ]
  %765 = icmp eq i64 %764, %763
  br i1 %765, label %773, label %766

766:                                              ; preds = %762, %761, %717, %709
  %767 = add i64 %711, 1
  %768 = and i64 %767, %701
  %769 = getelementptr inbounds i64, ptr %703, i64 %768
  %770 = load i64, ptr %769, align 8
  %771 = icmp sgt i64 %770, -1
  br i1 %771, label %709, label %772

772:                                              ; preds = %766, %698
  store i64 -1, ptr %590, align 8
  br label %780

773:                                              ; preds = %762, %663
  %774 = phi i64 [ %612, %663 ], [ %710, %762 ]
  store i64 %774, ptr %590, align 8
  %775 = icmp sgt i64 %774, -1
  br i1 %775, label %776, label %780

776:                                              ; preds = %773
  store i64 %774, ptr %603, align 8
  br label %780

777:                                              ; preds = %593
  %778 = getelementptr inbounds i8, ptr %595, i64 16
  %779 = load i64, ptr %778, align 8
  store i64 %779, ptr %590, align 8
  br label %780

780:                                              ; preds = %777, %776, %773, %772, %593, %588
  %781 = phi i64 [ -1, %772 ], [ %779, %777 ], [ %774, %776 ], [ %774, %773 ], [ -1, %593 ], [ -1, %588 ]
  %782 = icmp slt i64 %586, %43
  br i1 %782, label %783, label %790

783:                                              ; preds = %780, %787
  %784 = phi i64 [ %788, %787 ], [ %586, %780 ]
  %785 = getelementptr inbounds i8, ptr %44, i64 %784
  %786 = load i8, ptr %785, align 1
  switch i8 %786, label %790 [
    i8 32, label %787
    i8 13, label %787
    i8 9, label %787
    i8 10, label %787
  ]

787:                                              ; preds = %783, %783, %783, %783
  %788 = add i64 %784, 1
  %789 = icmp eq i64 %788, %43
  br i1 %789, label %810, label %783

790:                                              ; preds = %783, %780
  %791 = phi i64 [ %586, %780 ], [ %784, %783 ]
  %792 = icmp slt i64 %791, %43
  br i1 %792, label %793, label %810

793:                                              ; preds = %790
  %794 = getelementptr inbounds i8, ptr %44, i64 %791
  %795 = load i8, ptr %794, align 1
  %796 = icmp eq i8 %795, 58
  br i1 %796, label %797, label %810

797:                                              ; preds = %793
  %798 = add i64 %791, 1
  %799 = icmp slt i64 %798, %43
  br i1 %799, label %800, label %807

800:                                              ; preds = %797, %804
  %801 = phi i64 [ %805, %804 ], [ %798, %797 ]
  %802 = getelementptr inbounds i8, ptr %44, i64 %801
  %803 = load i8, ptr %802, align 1
  switch i8 %803, label %807 [
    i8 32, label %804
    i8 13, label %804
    i8 9, label %804
    i8 10, label %804
  ]

804:                                              ; preds = %800, %800, %800, %800
  %805 = add i64 %801, 1
  %806 = icmp eq i64 %805, %43
  br i1 %806, label %810, label %800

807:                                              ; preds = %800, %797
  %808 = phi i64 [ %798, %797 ], [ %801, %800 ]
  %809 = icmp slt i64 %808, %43
  br i1 %809, label %811, label %810

810:                                              ; preds = %807, %793, %790, %582, %787, %804
  br label %820

811:                                              ; preds = %807
  %812 = getelementptr inbounds i8, ptr %583, i64 24
  store i64 %808, ptr %812, align 8
  br label %813

813:                                              ; preds = %811, %535, %529, %526, %138, %135, %129
  %814 = phi i64 [ %808, %811 ], [ %518, %526 ], [ %518, %529 ], [ %119, %129 ], [ %119, %135 ], [ %518, %535 ], [ %119, %138 ]
  %815 = phi i64 [ %578, %811 ], [ %458, %526 ], [ %458, %529 ], [ %65, %129 ], [ %65, %135 ], [ %458, %535 ], [ %65, %138 ]
  %816 = phi i64 [ %577, %811 ], [ %277, %526 ], [ %277, %529 ], [ %70, %129 ], [ %70, %135 ], [ %277, %535 ], [ %70, %138 ]
  %817 = phi i64 [ %781, %811 ], [ -1, %526 ], [ -1, %529 ], [ -1, %129 ], [ %137, %135 ], [ %537, %535 ], [ -1, %138 ]
  %818 = getelementptr inbounds i8, ptr %44, i64 %814
  %819 = load i8, ptr %818, align 1
  br label %61

820:                                              ; preds = %51, %575, %118, %538, %517, %467, %69, %273, %115, %464, %514, %57, %54, %272, %453, %572, %810
  %821 = phi i64 [ -2, %115 ], [ -2, %572 ], [ -4, %453 ], [ -2, %272 ], [ -2, %514 ], [ -2, %54 ], [ -2, %57 ], [ -2, %273 ], [ -2, %810 ], [ -2, %464 ], [ -2, %575 ], [ -2, %118 ], [ -2, %538 ], [ -2, %517 ], [ -2, %467 ], [ -3, %69 ], [ -2, %51 ]
  %822 = trunc i64 %821 to i8
  %823 = xor i8 %822, -1
  br label %829

824:                                              ; preds = %569, %572
  %825 = icmp slt i64 %559, 0
  %826 = trunc i64 %559 to i8
  %827 = xor i8 %826, -1
  %828 = select i1 %825, i8 %827, i8 0
  br label %829

829:                                              ; preds = %824, %820
  %830 = phi i64 [ %559, %824 ], [ %821, %820 ]
  %831 = phi i8 [ %828, %824 ], [ %823, %820 ]
  %832 = load ptr, ptr %31, align 8
  %833 = getelementptr inbounds i8, ptr %832, i64 %36
  store i8 %831, ptr %833, align 1
  %834 = load ptr, ptr %10, align 8
  %835 = icmp eq ptr %834, null
  br i1 %835, label %841, label %836

836:                                              ; preds = %829
  %837 = icmp slt i64 %830, 0
  %838 = select i1 %837, i64 %35, i64 %830
  %839 = load ptr, ptr %32, align 8
  %840 = getelementptr inbounds i64, ptr %839, i64 %40
  store i64 %838, ptr %840, align 8
  br label %841

841:                                              ; preds = %829, %836
  %842 = phi i64 [ %838, %836 ], [ %35, %829 ]
  %843 = load i64, ptr %17, align 8
  %844 = icmp slt i64 %40, %843
  br i1 %844, label %34, label %33
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %45

6:                                                ; preds = %4, %42
  %7 = phi i64 [ %43, %42 ], [ %1, %4 ]
  %8 = add i64 %7, 1
  %9 = getelementptr inbounds i8, ptr %0, i64 %7
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 34
  br i1 %11, label %45, label %12

12:                                               ; preds = %6
  %13 = icmp ult i8 %10, 32
  br i1 %13, label %45, label %14

14:                                               ; preds = %12
  %15 = icmp eq i8 %10, 92
  br i1 %15, label %16, label %42

16:                                               ; preds = %14
  store i32 1, ptr %3, align 4
  %17 = icmp slt i64 %8, %2
  br i1 %17, label %18, label %45

18:                                               ; preds = %16
  %19 = add i64 %7, 2
  %20 = getelementptr inbounds i8, ptr %0, i64 %8
  %21 = load i8, ptr %20, align 1
  switch i8 %21, label %45 [
    i8 34, label %42
    i8 92, label %42
    i8 47, label %42
    i8 98, label %42
    i8 102, label %42
    i8 110, label %42
    i8 114, label %42
    i8 116, label %42
    i8 117, label %22
  ]

22:                                               ; preds = %18
  %23 = sub i64 %2, %19
  %24 = icmp slt i64 %23, 4
  br i1 %24, label %45, label %25

25:                                               ; preds = %22
  %26 = getelementptr i8, ptr %0, i64 %19
  br label %30

27:                                               ; preds = %30
  %28 = add i64 %31, 1
  %29 = icmp eq i64 %28, 4
  br i1 %29, label %40, label %30

30:                                               ; preds = %25, %27
  %31 = phi i64 [ 0, %25 ], [ %28, %27 ]
  %32 = getelementptr i8, ptr %26, i64 %31
  %33 = load i8, ptr %32, align 1
  %34 = add i8 %33, -58
  %35 = icmp ult i8 %34, -10
  %36 = and i8 %33, -33
  %37 = add i8 %36, -71
  %38 = icmp ult i8 %37, -6
  %39 = and i1 %35, %38
  br i1 %39, label %45, label %27

40:                                               ; preds = %27
  %41 = add i64 %7, 6
  br label %42

42:                                               ; preds = %18, %18, %18, %18, %18, %18, %18, %18, %40, %14
  %43 = phi i64 [ %19, %18 ], [ %41, %40 ], [ %8, %14 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ]
  %44 = icmp slt i64 %43, %2
  br i1 %44, label %6, label %45

45:                                               ; preds = %42, %6, %12, %22, %18, %16, %30, %4
  %46 = phi i64 [ -1, %30 ], [ -1, %4 ], [ %8, %6 ], [ -1, %12 ], [ -1, %22 ], [ -1, %18 ], [ -1, %42 ], [ -1, %16 ]
  ret i64 %46
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}
